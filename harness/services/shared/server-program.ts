/**
 * A service's server as a program on its host: it prints "listening" when it can be used, and runs until it is ended.
 * One of ours is told everything by its one argument, as JSON.
 */
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Child } from '../../../core/command.ts';
import { within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/host.ts';

const startMs = 10_000;

export class ServerProgram {
  /** Rejects when the program ends before `close`. */
  readonly failed: Promise<never>;
  readonly #child: Child;

  private constructor(child: Child, failed: Promise<never>) {
    this.#child = child;
    this.failed = failed;
    child.process.stdin?.on('error', () => {}); // whoever waits for the program is told of its end
  }

  /**
   * `name`: what people call it, as in "the download's server"; `told` gets every line that it prints once it can be
   * used.
   */
  static async start(
    host: Host,
    name: string,
    program: URL,
    config: object,
    told?: (line: string) => void,
  ): Promise<ServerProgram> {
    return ServerProgram.of(
      host.start(
        name,
        [process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(program), JSON.stringify(config)],
        { stdio: ['pipe', 'pipe', 'pipe'] },
      ),
      told,
    );
  }

  /**
   * One that was started just now, under the name that people call it by; `told` gets every line that it prints
   * afterwards.
   */
  static async of(child: Child, told: (line: string) => void = () => {}): Promise<ServerProgram> {
    const { name } = child;
    let listening = false;
    const failed = child.ended.then(({ status, signal }) => {
      if (child.stopping) return new Promise<never>(() => {});
      const how = child.lastWords !== '' ? child.lastWords : signal === null ? `status ${status}` : signal;
      throw new CoexistError(
        listening ? 'server-died' : 'server-failed',
        `${name} ${listening ? 'ended in the middle of the trial' : 'did not start'}: ${how}`,
      );
    });
    failed.catch(() => {});
    try {
      const ready = new Promise<void>(resolve =>
        createInterface(child.process.stdout!).on('line', line => (line === 'listening' ? resolve() : told(line))),
      );
      await within(Promise.race([failed, ready]), startMs, `${name} to listen`, { code: 'server-failed' });
      listening = true;
      return new ServerProgram(child, failed);
    } catch (error) {
      await child.stop('SIGKILL');
      throw error;
    }
  }

  /** Gives a line to a program of ours that waits for one. */
  tell(line: string): void {
    this.#child.process.stdin!.write(`${line}\n`);
  }

  async close(): Promise<void> {
    await this.#child.stop('SIGTERM', 1000);
  }
}
