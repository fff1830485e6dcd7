/** Runs one end of the tunnel: its program on a host. */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import { JsonLinesChild } from '../../../core/system/json-lines-child.ts';
import type { TunnelRecord } from '../../record/series/tunnel.ts';
import { type EndReport, ReportSeries } from './reports.ts';

/**
 * Longest wait for an end to be ready, ms. It is longer than the 8 s for which the client's end waits for the
 * connection.
 */
const startMs = 12_000;
const stopMs = 2000;

type EndOptions = {
  side: TunnelRecord['end'];
  host: Host;
  /** Path of the program, followed by its arguments. */
  argv: readonly string[];
  /** PEM text with the certificate. For the server's end the private key comes before it. */
  identity: string;
  onReport(record: TunnelRecord): void;
};

export class TunnelEnd {
  /** Rejects if the program ends before `stop` or prints a line that cannot be read. */
  readonly failed: Promise<never>;
  readonly #program: JsonLinesChild<string>;
  readonly #reports: ReportSeries;

  private constructor(program: JsonLinesChild<string>, reports: ReportSeries) {
    this.#program = program;
    this.#reports = reports;
    this.failed = program.failed;
  }

  /**
   * Starts the end; resolves when it is ready. The server's end is ready when it listens, the client's end when it is
   * connected.
   */
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

  /** Last report of the end; null before the first connection. */
  get last(): EndReport | null {
    return this.#reports.last;
  }

  /** Marks the end of the program as expected from now on. */
  release(): void {
    this.#program.child.stopping = true;
  }

  /** Ends the program, which then informs the other end. */
  stop(): Promise<void> {
    return this.#program.end(stopMs);
  }
}
