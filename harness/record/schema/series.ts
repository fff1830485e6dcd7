/**
 * A raw series of a trial: a file with a JSON object in each line and units in the names. Times (`...Ms`) are Unix ms
 * of the harness's clock after reading.
 */
import type { z } from '../../../core/schema/schema.ts';
import { type Described, describe } from './fields.ts';

type Facts<R extends object> = {
  /** Name of its file without ".jsonl". */
  id: string;
  /** `application`: each application has a file. `trial`: a file for its link and machine. */
  of: 'application' | 'trial';
  title: string;
  /** Interval or occasion of its lines. */
  pace: string;
  /** Fields that hold times of the media server's clock in the file. */
  serverTimes?: readonly (R extends unknown ? keyof R : never)[];
};

/** Conversion of lines to rows of the exported table. `row`: schema of a row; default: that of a line. */
type Rows<R extends object> = { row?: z.ZodType; rows(lines: readonly R[]): readonly object[] };

export class Series<R extends object = object> {
  readonly id: string;
  readonly of: 'application' | 'trial';
  readonly title: string;
  readonly pace: string;
  /** Schema of a line. */
  readonly schema: z.ZodType<R>;
  readonly serverTimes: readonly PropertyKey[];
  readonly #rows: Rows<R> | undefined;

  constructor(facts: Facts<R>, schema: z.ZodType<R>, rows?: Rows<R>) {
    this.id = facts.id;
    this.of = facts.of;
    this.title = facts.title;
    this.pace = facts.pace;
    this.serverTimes = facts.serverTimes ?? [];
    this.schema = schema;
    this.#rows = rows;
  }

  get file(): string {
    return `${this.id}.jsonl`;
  }

  /** Columns of its table. */
  get columns(): Described {
    return describe(this.#rows?.row ?? this.schema);
  }

  rowsOf(lines: readonly R[]): readonly object[] {
    return this.#rows?.rows(lines) ?? lines;
  }
}

/** Type of a line of a series. */
export type RecordOf<S> = S extends Series<infer R> ? R : never;
