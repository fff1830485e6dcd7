/**
 * A raw series of a trial: a file with one JSON object a line, units in the names. Points in time (`...Ms`) are Unix ms
 * of the harness's clock once they are read.
 */
import type { z } from '../../../core/schema/schema.ts';
import { type Described, describe } from './fields.ts';

type Facts<R extends object> = {
  /** Name of its file without ".jsonl". */
  id: string;
  /** Of each application of a trial, or of its link and machine. */
  of: 'application' | 'trial';
  title: string;
  /** How often, and when, a line is written. */
  pace: string;
  /** Fields that are times of the media server's clock in the file. */
  serverTimes?: readonly (R extends unknown ? keyof R : never)[];
};

/** Its table, if that has not a row a line in the order of the file. `row`: schema of a row; that of a line if missing. */
type Rows<R extends object> = { row?: z.ZodType; rows(lines: readonly R[]): readonly object[] };

export class Series<R extends object = object> {
  readonly id: string;
  readonly of: 'application' | 'trial';
  readonly title: string;
  readonly pace: string;
  /** Of a line. */
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

  /** Name of its file. */
  get file(): string {
    return `${this.id}.jsonl`;
  }

  /** The columns of its table. */
  get columns(): Described {
    return describe(this.#rows?.row ?? this.schema);
  }

  /** The rows of its table. */
  rowsOf(lines: readonly R[]): readonly object[] {
    return this.#rows?.rows(lines) ?? lines;
  }
}

/** What a line of a series holds. */
export type RecordOf<S> = S extends Series<infer R> ? R : never;
