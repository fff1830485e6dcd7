/**
 * A service's server as a program on its host: it prints "listening" when it can be used, and runs until it is ended.
 * One of ours is told everything by its one argument, as JSON.
 */

import { CoexistError } from '../../../core/errors.ts';
import type { Child } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { JsonLinesChild } from '../../../core/system/json-lines-child.ts';

const startMs = 10_000;
const stopMs = 1000;

export class ServerProgram {
  /** Rejects when the program ends before `close`, or prints what `told` throws for. */
  readonly failed: Promise<never>;
  readonly #program: JsonLinesChild<string>;

  private constructor(program: JsonLinesChild<string>) {
    this.#program = program;
    this.failed = program.failed;
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
      host.start(name, [...(await host.moduleWords(program)), JSON.stringify(config)], {
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
      told,
    );
  }

  /**
   * One that was started just now, under the name that people call it by; `told` gets every line that it prints
   * afterwards.
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

  /** Gives a line to a program of ours that waits for one. */
  tell(line: string): void {
    this.#program.tell(line);
  }

  /** Gives a line to a program of ours that answers each with one. */
  ask(line: string, ms: number): Promise<string> {
    return this.#program.ask(line, `${this.#program.child.name} to answer`, ms, { code: 'service-failed' });
  }

  async close(): Promise<void> {
    await this.#program.child.stop('SIGTERM', stopMs);
  }
}
