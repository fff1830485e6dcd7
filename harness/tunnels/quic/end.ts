/** One end of the tunnel: its program on a host. */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import { JsonLinesChild } from '../../../core/system/json-lines-child.ts';
import type { TunnelRecord } from '../../record/series/tunnel.ts';
import { type EndReport, ReportSeries } from './reports.ts';

/** The client's end makes the connection, for which it waits 8 s itself. */
const startMs = 12_000;
const stopMs = 2000;

type EndOptions = {
  side: TunnelRecord['end'];
  host: Host;
  /** Program and words. */
  argv: readonly string[];
  /** PEM: the certificate, of the server's end after its key. */
  identity: string;
  onReport(record: TunnelRecord): void;
};

export class TunnelEnd {
  /** Rejects when the program ends, or tells what cannot be read, before `stop`. */
  readonly failed: Promise<never>;
  readonly #program: JsonLinesChild<string>;
  readonly #reports: ReportSeries;

  private constructor(program: JsonLinesChild<string>, reports: ReportSeries) {
    this.#program = program;
    this.#reports = reports;
    this.failed = program.failed;
  }

  /** Starts it; resolves when it listens: of a client's end, when it is connected. */
  static async start({ side, host, argv, identity, onReport }: EndOptions): Promise<TunnelEnd> {
    const name = `the ${side}'s end of the tunnel`;
    const reports = new ReportSeries(side);
    const program = new JsonLinesChild<string>(
      host.start(name, argv, { stdio: ['pipe', 'pipe', 'pipe'], isTimed: true }),
      {
        code: 'service-failed',
        format: 'text',
        onLine: line => {
          const record = reports.take(line);
          if (record !== null) onReport(record);
        },
        ended: ({ reason, wasReady }) =>
          new CoexistError(
            wasReady ? 'server-died' : 'server-failed',
            `${name} ${wasReady ? 'ended in the middle of the trial' : 'did not start'}: ${reason}`,
          ),
      },
    );
    program.child.process.stdin!.write(identity);
    await program.ready(`${name} to listen`, startMs, {
      accepts: line => line === 'listening',
      code: 'server-failed',
    });
    return new TunnelEnd(program, reports);
  }

  get pid(): number | undefined {
    return this.#program.child.pid;
  }

  /** What it told last; null before it had a connection. */
  get last(): EndReport | null {
    return this.#reports.last;
  }

  /** Its end from now on is no failure. */
  release(): void {
    this.#program.child.stopping = true;
  }

  /** Ends it; the other end is told by it. */
  stop(): Promise<void> {
    return this.#program.end(stopMs);
  }
}
