/** Carries out requests one after another; a request that has been superseded by a newer one is dropped. */
export class Newest<T> {
  readonly #carryOut: (wish: T) => Promise<void>;
  #next: { wish: T } | undefined;
  #running: Promise<void> | undefined;

  /** `carryOut` answers for its own failures: it never rejects. */
  constructor(carryOut: (wish: T) => Promise<void>) {
    this.#carryOut = carryOut;
  }

  want(wish: T): void {
    this.#next = { wish };
    this.#running ??= this.#run();
  }

  /** True while something is being carried out. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Gives up what waits, and resolves when nothing is being carried out. */
  async end(): Promise<void> {
    this.#next = undefined;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#next; next !== undefined; next = this.#next) {
      this.#next = undefined;
      await this.#carryOut(next.wish);
    }
    this.#running = undefined;
  }
}
