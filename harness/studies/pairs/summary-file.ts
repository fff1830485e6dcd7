/** The summary in the folder of a pairwise study. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../../core/schema/schema.ts';
import { readJson } from '../../record/json-file.ts';
import type { PairsSummary } from './summary.ts';
import { pairsSummarySchema } from './summary-schema.ts';

/** The summary that was written of a study; undefined where none was. Throws `bad-run-folder` where it is none. */
export function readSummary(directory: string): PairsSummary | undefined {
  const path = join(directory, 'summary.json');
  if (!existsSync(path)) return undefined;
  const summary = readJson<PairsSummary>(path);
  check(pairsSummarySchema, summary, path, 'bad-run-folder');
  return summary;
}
