/** A native program that holds something in the kernel of a host while its standard input is open. */
import { CoexistError } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';

/** Longest time for a program to start and to end, ms. The kernel verifies its BPF program in a fraction of a second. */
const patienceMs = 15_000;

const readyLine = z.object({ ready: z.literal(true) });

/** Name of the program in messages, and the error for a reason why it does not start. */
type Held = { name: string; argv: readonly string[]; refusal(reason: string): CoexistError };

export class HeldProgram {
  /** Rejects if the program ends before `stop`. */
  readonly failed: Promise<never>;
  readonly #child: JsonLinesChild;
  #last: unknown;

  private constructor(host: Host, { name, argv, refusal }: Held) {
    this.#child = new JsonLinesChild(host.start(name, argv, { stdio: ['pipe', 'pipe', 'pipe'] }), {
      code: 'probe-died',
      onLine: said => {
        this.#last = said;
      },
      ended: ({ wasReady, reason }) =>
        wasReady
          ? new CoexistError('probe-died', `the ${name} of ${host.name} ended in the middle of the trial: ${reason}`)
          : refusal(reason),
    });
    this.failed = this.#child.failed;
    this.failed.catch(() => {});
  }

  /** Starts the program; resolves when the kernel has what it holds. */
  static async start(host: Host, held: Held): Promise<HeldProgram> {
    const program = new HeldProgram(host, held);
    const told = await program.#child.ready(`the ${held.name} of ${host.name} to start`, patienceMs);
    checkTold(readyLine, told, `what the ${held.name} on ${host.name} tells`, 'probe-died');
    return program;
  }

  /** Ends the program. Returns the last line that it printed after it was ready; undefined if there is none. */
  async stop(): Promise<unknown> {
    const { child } = this.#child;
    await child.stop('SIGTERM', patienceMs);
    await child.ended;
    return this.#last;
  }
}
