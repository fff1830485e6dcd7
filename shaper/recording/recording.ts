/**
 * A native program that writes a file in the background. The program reports that it has started, ends on request, and
 * then prints a line about its file.
 */
import { CoexistError } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';

/** Longest time for a program to start, ms. The kernel takes a fraction of a second to load and verify BPF programs. */
const startMs = 15_000;
/** Longest time for a program to stop, ms. It writes the data in its memory to the disk. */
const stopMs = 15_000;

const readyLine = z.object({ ready: z.literal(true) });

type RecordingProgram<End> = {
  /** Name of the recording for people, such as "the queue log". */
  name: string;
  /**
   * Command line of the program; it contains the paths of the project's files that the program needs, and the path of
   * its output.
   */
  argv: readonly string[];
  /** Local path at which the program's file is stored in the end. */
  file: string;
  /** Requirements of the program on the machine, as text for a hint. */
  needs: string;
  /** Schema of the program's last line, which is about the file. */
  end: z.ZodType<End>;
};

/** The members of a host that a recording uses. */
export type RecordingHost = Pick<Host, 'name' | 'start' | 'bring'>;

export class Recording<End = unknown> {
  /** Rejects when the program ends unexpectedly: `disk-full` or `probe-died`. Never resolves. */
  readonly failed: Promise<never>;
  readonly #program: RecordingProgram<End>;
  readonly #host: RecordingHost;
  readonly #child: JsonLinesChild;
  #last: unknown;

  private constructor(program: RecordingProgram<End>, host: RecordingHost) {
    this.#program = program;
    this.#host = host;
    this.#child = new JsonLinesChild(
      // the stdin of the program stays open while this process lives, so the program ends with it
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
   * Starts the program. The file contains everything that happens after this resolves. Throws `missing-kernel-feature`
   * if the program does not start.
   */
  static async start<End>(host: RecordingHost, program: RecordingProgram<End>): Promise<Recording<End>> {
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
   * Ends the program, brings its file here and returns its last line. Throws if the file could not be written, or if
   * the last line is not valid.
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
