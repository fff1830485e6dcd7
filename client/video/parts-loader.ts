/** Loader for hls.js: fetches each segment in parts, one from each origin, all at once. */
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

    /** Aborts a load. Has no effect on a finished load, whose statistics still show the speed of the network. */
    destroy(): void {
      if (this.stats.loading.end > 0) return;
      this.stats.aborted = true;
      this.#controller.abort();
    }

    /**
     * Fetches one part. Updates the statistics with every piece, because hls.js abandons a segment that arrives too
     * slowly.
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
