/** The least or greatest value of a sliding window of time. Own. */
export class WindowedExtreme {
  readonly #isBetter: (a: number, b: number) => boolean;
  /** From the best to the newest; each is better than all that came later. */
  #values: { value: number; atMs: number }[] = [];

  constructor(kind: 'least' | 'greatest') {
    this.#isBetter = kind === 'least' ? (a, b) => a < b : (a, b) => a > b;
  }

  /** Times must not go back. The newest value always stays. */
  add(value: number, atMs: number, windowMs: number): void {
    while (this.#values.length > 0 && !this.#isBetter(this.#values.at(-1)!.value, value)) this.#values.pop();
    this.#values.push({ value, atMs });
    const first = this.#values.findIndex(old => atMs - old.atMs <= windowMs);
    if (first > 0) this.#values.splice(0, first);
  }

  /** undefined before the first value. */
  get value(): number | undefined {
    return this.#values[0]?.value;
  }

  /** Of the values that came after `atMs`, as far as the window reaches; undefined where none did. */
  after(atMs: number): number | undefined {
    return this.#values.find(value => value.atMs > atMs)?.value;
  }
}
