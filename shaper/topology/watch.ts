/** Repeated checks, one a second, that certain states have not changed. */
import type { CoexistError } from '../../core/errors.ts';

const everyMs = 1000;

/**
 * Function that looks at one state. It resolves to an error that describes a change, or to undefined if nothing
 * changed. After a rejection the next look asks again.
 */
export type Look = () => Promise<CoexistError | undefined>;

export class Watch {
  readonly #looks: readonly Look[];
  readonly #onChange: (error: CoexistError) => void;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onChange` once, when two consecutive looks find a change. */
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
    if (this.#timer === undefined) return; // stopped in the meantime
    const change = changes.find(one => one !== undefined);
    if (change === undefined) return this.begin();
    this.end();
    this.#onChange(change);
  }
}
