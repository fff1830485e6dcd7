/** Carries out requests one after another. A waiting request is dropped when a newer request arrives. */
export class Newest<T> {
  readonly #carryOut: (wish: T) => Promise<void>;
  #next: { wish: T } | undefined;
  #running: Promise<void> | undefined;

  /** Stores the function that carries out a request. `carryOut` has to handle its errors and must never reject. */
  constructor(carryOut: (wish: T) => Promise<void>) {
    this.#carryOut = carryOut;
  }

  want(wish: T): void {
    this.#next = { wish };
    this.#running ??= this.#run();
  }

  /** True while a request is being carried out. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Drops the waiting request. Resolves when the request that is being carried out has ended. */
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
