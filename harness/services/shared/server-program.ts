/**
 * Runs a service's server as a program on its host. The program prints "listening" when it is ready, and runs until it
 * is ended. Programs of ours get their configuration as JSON in one argument.
 */

import { CoexistError } from '../../../core/errors.ts';
import type { Child } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { JsonLinesChild } from '../../../core/system/json-lines-child.ts';

const startMs = 10_000;
const stopMs = 1000;

export class ServerProgram {
  /** Rejects if the program ends before `close`, or if `told` throws an error for a line. */
  readonly failed: Promise<never>;
  readonly #program: JsonLinesChild<string>;

  private constructor(program: JsonLinesChild<string>) {
    this.#program = program;
    this.failed = program.failed;
  }

  /**
   * Starts a program of ours; resolves when it is ready. `name`: name of the program for people, such as "the
   * download's server". `told`: called with every line that the program prints after that.
   */
  static async start(
    host: Host,
    name: string,
    program: URL,
    config: object,
    told?: (line: string) => void,
  ): Promise<ServerProgram> {
    return ServerProgram.of(
      host.start(name, [...(await host.moduleWords(program)), JSON.stringify(config)], {
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
      told,
    );
  }

  /**
   * Waits until a program that was just started is ready. `child.name`: name of the program for people. `told`: called
   * with every line that the program prints after that.
   */
  static async of(child: Child, told: (line: string) => void = () => {}): Promise<ServerProgram> {
    const program = new JsonLinesChild<string>(child, {
      code: 'server-failed',
      format: 'text',
      onLine: told,
      ended: ({ reason, wasReady }) =>
        new CoexistError(
          wasReady ? 'server-died' : 'server-failed',
          `${child.name} ${wasReady ? 'ended in the middle of the trial' : 'did not start'}: ${reason}`,
        ),
    });
    await program.ready(`${child.name} to listen`, startMs, {
      accepts: line => line === 'listening',
      code: 'server-failed',
    });
    return new ServerProgram(program);
  }

  /** Sends a line to the program; no answer is expected. */
  tell(line: string): void {
    this.#program.tell(line);
  }

  /** Sends a line to the program and returns the line with which it answers. `ms`: deadline for the answer. */
  ask(line: string, ms: number): Promise<string> {
    return this.#program.ask(line, `${this.#program.child.name} to answer`, ms, { code: 'service-failed' });
  }

  async close(): Promise<void> {
    await this.#program.child.stop('SIGTERM', stopMs);
  }
}
