/** Command lines of the product, run one after another in one process (commands.ts). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { within } from '../../../core/deadline.ts';
import { projectRoot } from '../../../core/paths.ts';
import type { Ended } from '../../e2e/support/run-command.ts';

export class CommandProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** `root`: of the checkout, or of a copy of it. */
  constructor(env: NodeJS.ProcessEnv = {}, root = projectRoot) {
    const program = join(root, 'tests/process/support/commands.ts');
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  async run(args: readonly string[]): Promise<Ended> {
    this.#child.stdin!.write(`${JSON.stringify(args)}\n`);
    const { value, done } = await within(this.#lines.next(), 120_000, 'the command to end');
    assert.ok(done !== true, `the process ended in ${args.join(' ')}`);
    return JSON.parse(value) as Ended;
  }

  /** Ends its input; throws where the process does not end with that, because something is still open. */
  async end(): Promise<void> {
    this.#child.stdin!.end();
    try {
      assert.deepEqual(await within(once(this.#child, 'exit'), 60_000, 'the process to end'), [0, null]);
    } finally {
      this.#child.kill('SIGKILL');
    }
  }
}
