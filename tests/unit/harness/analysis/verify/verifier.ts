/** Recomputes hand-made runs with the second implementation. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Output } from '../../../../../core/system/command.ts';
import { pythonEnvironment, pythonProgram, recomputeMend } from '../../../../../harness/analysis/verify/recompute.ts';
import { LineServer } from '../../../support/line-server.ts';
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

export type Verified = { status: number | null; rows: Row[]; differing: string[] };

const program = join(import.meta.dirname, 'recompute_server.py');

/** Reason why the second implementation cannot run here; false if it can. */
export const skip =
  pythonProgram() === undefined ? `Python with numpy and scipy is not there: ${recomputeMend}` : false;

/** One process for all tests of this one: it starts with the first run, and ends behind the last test. */
function pythonServer() {
  let server: LineServer<Output> | undefined;
  after(() => server?.stop());
  return (path: string, options: readonly string[] = []): Promise<Output> =>
    (server ??= new LineServer([pythonProgram()!, '-B', '-s', '-P', program], pythonEnvironment())).ask([
      path,
      ...options,
    ]);
}

/** Calls `recompute`, one call at a time, in a process that all tests share. */
export const recomputed = pythonServer();

/** Recomputes an existing run. */
export async function verified(path: string): Promise<Verified> {
  const { status, stdout, stderr } = await recomputed(path, ['--json']);
  assert.equal(stderr, '');
  const { rows } = JSON.parse(stdout) as { rows: Row[] };
  return {
    status,
    rows,
    differing: rows.filter(({ differs }) => differs).map(row => `${row.metric} of ${row.place}`),
  };
}

/** Returns a function that writes runs into this folder and recomputes them. */
export function verifierIn(place: string) {
  let runs = 0;
  return (made: HandMade): Promise<Verified> => {
    const path = join(place, `run${++runs}`);
    writeRun(path, made);
    return verified(path);
  };
}
