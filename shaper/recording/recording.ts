/**
 * A native program that writes a file while something runs: says when it has begun, ends when it is told to, and says
 * then what it wrote.
 */
import { CoexistError } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';

/** Loading and checking BPF programs takes the kernel a fraction of a second. */
const startMs = 15_000;
/** What is still in memory goes to the disk at the end. */
const stopMs = 15_000;

const readyLine = z.object({ ready: z.literal(true) });

type RecordingProgram<End> = {
  /** As people say it: "the queue log". */
  name: string;
  /** What is started: a program of ours, what it needs of our files, and where it writes. */
  argv: readonly string[];
  /** What its file is to become here. */
  file: string;
  /** What a machine must have for it. */
  needs: string;
  /** What it says of its file in its last line. */
  end: z.ZodType<End>;
};

export class Recording<End = unknown> {
  /** Rejects when the program ends by itself: `disk-full` or `probe-died`. Never resolves. */
  readonly failed: Promise<never>;
  readonly #program: RecordingProgram<End>;
  readonly #host: Host;
  readonly #child: JsonLinesChild;
  #last: unknown;

  private constructor(program: RecordingProgram<End>, host: Host) {
    this.#program = program;
    this.#host = host;
    this.#child = new JsonLinesChild(
      // its stdin stays open as long as we live: it ends with us
      host.start(program.name.replace(/^the /, ''), program.argv, { stdio: ['pipe', 'pipe', 'pipe'] }),
      {
        name: program.name,
        code: 'probe-died',
        onLine: said => {
          this.#last = said;
        },
        ended: ({ wasReady, lastWords }) =>
          wasReady
            ? this.#error(`${program.name} ended in the middle of the trial`, lastWords)
            : this.#error(`${program.name} did not start`, lastWords, 'missing-kernel-feature'),
      },
    );
    this.failed = this.#child.failed;
  }

  /**
   * Starts the program; everything that happens after this has resolved is in its file. Throws `missing-kernel-feature`
   * where it does not start.
   */
  static async start<End>(host: Host, program: RecordingProgram<End>): Promise<Recording<End>> {
    const recording = new Recording<End>(program, host);
    const told = await recording.#child.ready(`${program.name} to start`, startMs);
    try {
      recording.#read(readyLine, told);
    } catch (error) {
      await recording.#child.child.stop('SIGKILL');
      throw error;
    }
    return recording;
  }

  /**
   * Ends the program. When this has resolved with its last line, the file is complete. Throws where it could not be
   * written, or the last line is not what that program says.
   */
  async stop(): Promise<End> {
    const { child } = this.#child;
    await child.stop('SIGTERM', stopMs);
    const { status } = await child.ended;
    if (status !== 0) throw this.#error(`${this.#program.name} could not be completed`, child.lastWords);
    const end = this.#read(this.#program.end, this.#last);
    await this.#host.bring(this.#program.file);
    return end;
  }

  #read<T>(schema: z.ZodType<T>, told: unknown): T {
    return checkTold(schema, told, `what ${this.#program.name} on ${this.#host.name} tells`, 'probe-died');
  }

  #error(what: string, said: string, otherwise: 'probe-died' | 'missing-kernel-feature' = 'probe-died'): CoexistError {
    const message = said === '' ? what : `${what}: ${said}`;
    if (said.includes('No space left on device'))
      return new CoexistError('disk-full', message, { hint: 'free some room or choose another place with --out' });
    return new CoexistError(
      otherwise,
      message,
      otherwise === 'probe-died'
        ? {}
        : { hint: `${this.#program.name} needs ${this.#program.needs}; build the helper with "npm run setup"` },
    );
  }
}
