/** Writes the voice that a page recorded into a series, for the first twenty minutes of a trial. */
import type { VoicePart } from '../../../client/wire.ts';
import type { Series } from '../../record/schema/series.ts';
import type { TrialContext } from '../service.ts';
import { checkedTime } from './page-values.ts';

/** Maximum number of parts in the record: 20 minutes in parts of 250 ms, which take 50 MB. */
const mostParts = 4800;

export class VoiceWriter {
  readonly #series: Series<VoicePart>;
  readonly #write: TrialContext['write'];
  readonly #page: { name: string; offsetMs: number };
  #parts = 0;

  /** `page`: name of the page in messages, and offset of its clock. */
  constructor(series: Series<VoicePart>, write: TrialContext['write'], page: { name: string; offsetMs: number }) {
    this.#series = series;
    this.#write = write;
    this.#page = page;
  }

  write(parts: readonly VoicePart[]): void {
    const { name, offsetMs } = this.#page;
    for (const part of parts) {
      if (this.#parts++ >= mostParts) return;
      this.#write(this.#series, { ...part, timeMs: checkedTime(part.timeMs + offsetMs, name) });
    }
  }
}
