/** Recomputes runs made by hand with the second program. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import type { Output } from '../../../../core/command.ts';
import { within } from '../../../../core/deadline.ts';
import { pythonEnvironment, pythonProgram, recomputeMend } from '../../../../harness/verify/recompute.ts';
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

const longestMs = 120_000;

/** Why the second program cannot run here; false where it can. */
export const skip =
  pythonProgram() === undefined ? `Python with numpy and scipy is not there: ${recomputeMend}` : false;

class Server {
  readonly #child = spawn(pythonProgram()!, ['-B', '-s', '-P', join(import.meta.dirname, 'recompute_server.py')], {
    env: pythonEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #closed = once(this.#child, 'close');
  readonly #lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();

  async recompute(words: readonly string[]): Promise<Output> {
    this.#child.stdin.write(`${JSON.stringify(words)}\n`);
    const { value } = await within(this.#lines.next(), longestMs, 'a run to be recomputed');
    assert.ok(value !== undefined, 'the server has ended');
    return JSON.parse(value) as Output;
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    await within(this.#closed, longestMs, 'the server to end').catch(() => this.#child.kill('SIGKILL'));
  }
}

let server: Server | undefined;
after(() => server?.stop());

/** As `recompute` of the product, in a process that all tests of the file use. One at a time. */
export const recomputed = (path: string, options: readonly string[] = []): Promise<Output> =>
  (server ??= new Server()).recompute([path, ...options]);

/** A run that is there. */
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

/** Runs are written into that folder. */
export function verifierIn(place: string) {
  let runs = 0;
  return (made: HandMade): Promise<Verified> => {
    const path = join(place, `run${++runs}`);
    writeRun(path, made);
    return verified(path);
  };
}
