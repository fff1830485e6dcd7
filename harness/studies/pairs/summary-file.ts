/** Reads the summary in the folder of a pairwise study. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../../core/schema/schema.ts';
import { readJson } from '../../record/json-file.ts';
import type { PairsSummary } from './summary.ts';
import { pairsSummarySchema } from './summary-schema.ts';

/**
 * Returns the summary of a study. Undefined if there is no summary yet. Throws `bad-run-folder` if the summary is
 * malformed.
 */
export function readSummary(directory: string): PairsSummary | undefined {
  const path = join(directory, 'summary.json');
  if (!existsSync(path)) return undefined;
  const summary = readJson<PairsSummary>(path);
  check(pairsSummarySchema, summary, path, 'bad-run-folder');
  return summary;
}
