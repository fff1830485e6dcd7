/**
 * Things that were opened one after another: closed in the reverse order, also those whose opening was still under way.
 */
export class Opened {
  readonly #ends: (() => Promise<void>)[] = [];
  #closing = false;

  /**
   * Resolves as `start` does; `close` is called in any case, as soon as it has. Nothing is opened any more when all is
   * being closed.
   */
  async open<T>(start: () => Promise<T> | T, close: (thing: T) => unknown): Promise<T> {
    if (this.#closing) throw new Error('everything is being closed');
    const opening = Promise.resolve(start());
    this.#ends.push(async () => {
      try {
        await close(await opening);
      } catch {
        return; // it never was there, or went by itself
      }
    });
    return await opening;
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) await end();
  }
}
