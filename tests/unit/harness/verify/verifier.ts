/** Recomputes runs made by hand with the second program. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pythonProgram, recompute, recomputeMend } from '../../../../harness/verify/recompute.ts';
import { type HandMade, writeRun } from './hand-made.ts';

export type Row = {
  metric: string;
  place: string;
  ours: number | null;
  low: number | null;
  high: number | null;
  source: string;
  note: string;
  differs: boolean;
};

/** Why the second program cannot run here; false where it can. */
export const skip =
  pythonProgram() === undefined ? `Python with numpy and scipy is not there: ${recomputeMend}` : false;

/** Runs are written into that folder. */
export function verifierIn(place: string) {
  let runs = 0;
  return async (made: HandMade): Promise<{ status: number | null; rows: Row[]; differing: string[] }> => {
    const path = join(place, `run${++runs}`);
    writeRun(path, made);
    const { status, stdout, stderr } = await recompute(path, ['--json']);
    assert.equal(stderr, '');
    const { rows } = JSON.parse(stdout) as { rows: Row[] };
    return {
      status,
      rows,
      differing: rows.filter(({ differs }) => differs).map(row => `${row.metric} of ${row.place}`),
    };
  };
}
