/** Looks once a second whether something has changed that must not. */
import type { CoexistError } from '../../core/errors.ts';

const everyMs = 1000;

/** Resolves to what has changed; undefined: nothing. One that rejects says nothing: the next look asks again. */
export type Look = () => Promise<CoexistError | undefined>;

export class Watch {
  readonly #looks: readonly Look[];
  readonly #onChange: (error: CoexistError) => void;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** `onChange` is called once, when two looks in a row find a change. */
  constructor(looks: readonly Look[], onChange: (error: CoexistError) => void, ms = everyMs) {
    this.#looks = looks;
    this.#onChange = onChange;
    this.#everyMs = ms;
  }

  begin(): void {
    this.#timer = setTimeout(() => void this.#lookAround(), this.#everyMs).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #lookAround(): Promise<void> {
    const twice = async (look: Look) => ((await look()) === undefined ? undefined : look());
    const changes = await Promise.all(this.#looks.map(look => twice(look).catch(() => undefined)));
    if (this.#timer === undefined) return; // the end came meanwhile
    const change = changes.find(one => one !== undefined);
    if (change === undefined) return this.begin();
    this.end();
    this.#onChange(change);
  }
}
