/** A program that answers each line of JSON with a line of JSON: what many cases need is loaded once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { within } from '../../../core/system/deadline.ts';
import { projectRoot } from '../../../core/system/paths.ts';

const [longestMs, endMs] = [120_000, 60_000];

export class LineServer<Answer> {
  readonly #child;
  readonly #closed;
  readonly #lines;

  constructor(
    [program, ...words]: readonly [string, ...string[]],
    env: NodeJS.ProcessEnv = process.env,
    cwd = projectRoot,
  ) {
    this.#child = spawn(program, words, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#closed = once(this.#child, 'close');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** One at a time. */
  async ask(question: unknown): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value } = await within(this.#lines.next(), longestMs, 'an answer');
    assert.ok(value !== undefined, 'the server has ended');
    return JSON.parse(value) as Answer;
  }

  /** Throws where something that it was asked keeps it from ending by itself. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    try {
      assert.deepEqual(await within(this.#closed, endMs, 'the server to end'), [0, null]);
    } finally {
      this.#child.kill('SIGKILL');
    }
  }
}
