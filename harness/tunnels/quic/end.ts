/** One end of the tunnel: its program on a host. */
import type { Child } from '../../../core/command.ts';
import { within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/host.ts';
import { LineSplitter } from '../../../core/jsonl.ts';
import type { TunnelRecord } from '../../record/series.ts';
import { ReportSeries } from './reports.ts';
import type { EndReport } from './reports.ts';

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
  readonly #child: Child;
  readonly #reports: ReportSeries;

  private constructor(child: Child, reports: ReportSeries, failed: Promise<never>) {
    this.#child = child;
    this.#reports = reports;
    this.failed = failed;
  }

  /** Starts it; resolves when it listens: of a client's end, when it is connected. */
  static async start({ side, host, argv, identity, onReport }: EndOptions): Promise<TunnelEnd> {
    const name = `the ${side}'s end of the tunnel`;
    const child = host.start(name, argv, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.process.stdin!.on('error', () => {}); // its end is noticed
    child.process.stdin!.write(identity);
    const reports = new ReportSeries(side);
    const listening = Promise.withResolvers<void>();
    const failing = Promise.withResolvers<never>();
    failing.promise.catch(() => {});
    let isUp = false;
    const lines = new LineSplitter(line => {
      if (line === 'listening') return listening.resolve();
      try {
        const record = reports.take(line);
        if (record !== null) onReport(record);
      } catch (error) {
        failing.reject(error);
      }
    });
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    void child.ended.then(({ status, signal }) => {
      if (child.stopping) return;
      const why = child.lastWords !== '' ? child.lastWords : signal === null ? `status ${status}` : signal;
      failing.reject(
        new CoexistError(
          isUp ? 'server-died' : 'server-failed',
          `${name} ${isUp ? 'ended in the middle of the trial' : 'did not start'}: ${why}`,
        ),
      );
    });
    try {
      await within(Promise.race([listening.promise, failing.promise]), startMs, `${name} to listen`, {
        code: 'server-failed',
      });
      isUp = true;
      return new TunnelEnd(child, reports, failing.promise);
    } catch (error) {
      await child.stop('SIGKILL');
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it told last; null before it had a connection. */
  get last(): EndReport | null {
    return this.#reports.last;
  }

  /** Its end from now on is no failure. */
  release(): void {
    this.#child.stopping = true;
  }

  /** Ends it; the other end is told by it. */
  async stop(): Promise<void> {
    this.release();
    this.#child.process.stdin!.end();
    await within(this.#child.ended, stopMs, 'the tunnel to end').catch(() => this.#child.stop('SIGKILL'));
  }
}
