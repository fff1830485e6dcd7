/** One side of a trial as a stream of pictures: its own series, and what both sides share, which is in the trial's folder. */
import { join } from 'node:path';
import { readJsonl } from '../../core/jsonl.ts';
import type { Link } from '../../core/link.ts';
import { SeriesFolder } from '../record/series-folder.ts';
import type { HostRecord } from '../record/series.ts';
import type { StreamRecord, Window } from '../record/trial-record.ts';
import { sidesSeries } from './queue-sides.ts';
import type { SideBin } from './queue-sides.ts';
import type { PairPhases, SideFile } from './record.ts';

export class SideRecord extends SeriesFolder implements StreamRecord {
  readonly window: Window;
  readonly link: Link;
  readonly #trial: string;

  /** `trial`: the folder of the whole trial. */
  constructor(trial: string, { folder, clocks }: SideFile, { windowStartMs, windowEndMs }: PairPhases, link: Link) {
    super(join(trial, folder), clocks?.server.offsetMs ?? 0);
    this.#trial = trial;
    this.window = { startMs: windowStartMs, endMs: windowEndMs };
    this.link = link;
  }

  host(): Promise<HostRecord[]> {
    return readJsonl(join(this.#trial, 'host.jsonl'));
  }

  /** Of both sides, one stretch after the other. */
  queueDelay(): Promise<SideBin[]> {
    return readJsonl(join(this.#trial, `${sidesSeries}.jsonl`));
  }
}
