/**
 * A series in the record of a trial: a file with one JSON object in each line. Names of fields contain the unit. Times
 * (`...Ms`) are Unix ms; after reading they are times of the harness's clock.
 */
import type { z } from '../../../core/schema/schema.ts';
import { type Described, describe } from './fields.ts';

type Facts<R extends object> = {
  /** Name of the series' file without ".jsonl". */
  id: string;
  /**
   * `application`: each application has a file with this series. `trial`: one file, about the link and the machine of
   * the trial.
   */
  of: 'application' | 'trial';
  title: string;
  /** Interval at which lines are written, or event that causes a line, in words. */
  pace: string;
  /** Fields whose times in the file are those of the media server's clock. Reading converts them. */
  serverTimes?: readonly (R extends unknown ? keyof R : never)[];
};

/** Conversion of lines to rows of the exported table. `row`: schema of a row; default: the schema of a line. */
type Rows<R extends object> = { row?: z.ZodType; rows(lines: readonly R[]): readonly object[] };

export class Series<R extends object = object> {
  readonly id: string;
  readonly of: 'application' | 'trial';
  readonly title: string;
  readonly pace: string;
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

  /** Columns of the exported table. */
  get columns(): Described {
    return describe(this.#rows?.row ?? this.schema);
  }

  rowsOf(lines: readonly R[]): readonly object[] {
    return this.#rows?.rows(lines) ?? lines;
  }
}

/** Type of a line of a series. */
export type RecordOf<S> = S extends Series<infer R> ? R : never;
