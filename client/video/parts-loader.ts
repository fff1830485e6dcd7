/** Loader for hls.js that fetches each segment in parts: one part from each origin, all at the same time. */
import type { FragmentLoaderContext, Loader, LoaderCallbacks, LoaderConfiguration, LoaderStats } from 'hls.js';

function emptyStats(): LoaderStats {
  return {
    aborted: false,
    loaded: 0,
    retry: 0,
    total: 0,
    chunkCount: 0,
    bwEstimate: 0,
    loading: { start: 0, first: 0, end: 0 },
    parsing: { start: 0, end: 0 },
    buffering: { start: 0, first: 0, end: 0 },
  };
}

export function partsLoader(origins: readonly string[]): new () => Loader<FragmentLoaderContext> {
  return class implements Loader<FragmentLoaderContext> {
    context: FragmentLoaderContext | null = null;
    stats = emptyStats();
    readonly #controller = new AbortController();
    #callbacks: LoaderCallbacks<FragmentLoaderContext> | undefined;

    load(
      context: FragmentLoaderContext,
      { loadPolicy }: LoaderConfiguration,
      callbacks: LoaderCallbacks<FragmentLoaderContext>,
    ): void {
      this.context = context;
      this.#callbacks = callbacks;
      const { stats } = this;
      stats.loading.start = performance.now();
      const timer = setTimeout(() => {
        this.destroy();
        callbacks.onTimeout(stats, context, null);
      }, loadPolicy.maxLoadTimeMs);
      const { pathname } = new URL(context.url, location.href);
      const of = pathname.endsWith('.m4s') ? origins.length : 1;
      Promise.all(origins.slice(0, of).map((origin, part) => this.#fetch(`${origin}${pathname}?part=${part}&of=${of}`)))
        .then(async parts => {
          const data = await new Blob(parts.flat()).arrayBuffer();
          stats.loading.end = performance.now();
          stats.total = stats.loaded;
          callbacks.onSuccess({ url: context.url, data, code: 200 }, stats, context, null);
        })
        .catch((error: unknown) => {
          if (!this.#controller.signal.aborted)
            callbacks.onError({ code: 0, text: String(error) }, context, null, stats);
        })
        .finally(() => clearTimeout(timer));
    }

    abort(): void {
      if (this.context === null) return;
      this.destroy();
      this.#callbacks?.onAbort?.(this.stats, this.context, null);
    }

    /**
     * Aborts a load that is not finished. A finished load stays unchanged, because hls.js still reads the speed of the
     * network from its statistics.
     */
    destroy(): void {
      if (this.stats.loading.end > 0) return;
      this.stats.aborted = true;
      this.#controller.abort();
    }

    /**
     * Fetches one part of a segment. Updates the statistics with every piece of data, because hls.js uses them to
     * abandon a segment that arrives too slowly.
     */
    async #fetch(url: string): Promise<Uint8Array<ArrayBuffer>[]> {
      const response = await fetch(url, { signal: this.#controller.signal });
      if (!response.ok || response.body === null) throw new Error(`${url} was answered with ${response.status}`);
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return pieces;
        this.stats.loading.first ||= performance.now();
        this.stats.loaded += value.byteLength;
        pieces.push(value);
      }
    }
  };
}
