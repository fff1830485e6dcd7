/**
 * A native program that writes a file while something runs: says when it has begun, ends when it is told to, and says
 * then what it wrote.
 */
import type { Child } from '../../core/command.ts';
import { within } from '../../core/deadline.ts';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import { LineSplitter } from '../../core/jsonl.ts';

/** Loading and checking BPF programs takes the kernel a fraction of a second. */
const startMs = 15_000;
/** What is still in memory goes to the disk at the end. */
const stopMs = 15_000;

type RecordingProgram = {
  /** As people say it: "the queue log". */
  name: string;
  argv: readonly string[];
  /** What a machine must have for it. */
  needs: string;
};

/** `End`: what the program says of its file in its last line, a JSON object. */
export class Recording<End = unknown> {
  /** Rejects when the program ends by itself: `disk-full` or `probe-died`. Never resolves. */
  readonly failed: Promise<never>;
  readonly #program: RecordingProgram;
  readonly #child: Child;
  readonly #lines: string[] = [];
  #onLine: () => void = () => {};

  private constructor(program: RecordingProgram, child: Child) {
    this.#program = program;
    this.#child = child;
    const splitter = new LineSplitter(line => {
      this.#lines.push(line);
      this.#onLine();
    });
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => splitter.push(text));
    child.process.stdin!.on('error', () => {}); // it has ended; that is told by its end
    this.failed = child.ended.then(() => {
      if (child.stopping) return new Promise<never>(() => {});
      throw this.#error(`${program.name} ended in the middle of the trial`);
    });
    this.failed.catch(() => {});
  }

  /**
   * Starts the program; everything that happens after this has resolved is in its file. Throws `missing-kernel-feature`
   * where it does not start.
   */
  static async start<End>(host: Host, program: RecordingProgram): Promise<Recording<End>> {
    // its stdin stays open as long as we live: it ends with us
    const child = host.start(program.name.replace(/^the /, ''), program.argv, { stdio: ['pipe', 'pipe', 'pipe'] });
    const recording = new Recording<End>(program, child);
    const ready = new Promise<void>(resolve => {
      recording.#onLine = resolve;
    });
    const ended = child.ended.then(() => {
      throw recording.#error(`${program.name} did not start`, 'missing-kernel-feature');
    });
    try {
      await within(Promise.race([ready, ended]), startMs, `${program.name} to start`);
    } catch (error) {
      await child.stop('SIGKILL');
      throw error;
    }
    return recording;
  }

  /**
   * Ends the program. When this has resolved with its last line, the file is complete. Throws where it could not be
   * written.
   */
  async stop(): Promise<End> {
    await this.#child.stop('SIGTERM', stopMs);
    const { status } = await this.#child.ended;
    if (status !== 0) throw this.#error(`${this.#program.name} could not be completed`);
    return JSON.parse(this.#lines.at(-1) ?? '{}') as End;
  }

  #error(what: string, otherwise: 'probe-died' | 'missing-kernel-feature' = 'probe-died'): CoexistError {
    const said = this.#child.lastWords;
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
