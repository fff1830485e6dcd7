/** Counters and readings of one end of an application's tunnel over a window. */
import { growth } from '../../../core/stats/counters.ts';
import { type TunnelRecord, tunnelSeries } from '../../record/series/tunnel.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

type Counter =
  | 'sentBytes'
  | 'sentPackets'
  | 'lostPackets'
  | 'bytesIn'
  | 'packetsIn'
  | 'droppedPackets'
  | 'tooLargePackets'
  | 'spuriousCongestionEvents'
  | 'cpuMs';

export class TunnelEndWindow {
  readonly #reports: readonly TunnelRecord[];
  readonly #record: TrialRecord;

  private constructor(reports: readonly TunnelRecord[], record: TrialRecord) {
    this.#reports = reports;
    this.#record = record;
  }

  /** Reads one end of the tunnel. Null if the application has no tunnel, or if that end reported nothing. */
  static async of(record: TrialRecord, end: TunnelRecord['end']): Promise<TunnelEndWindow | null> {
    const reports = (await record.read(tunnelSeries)).filter(report => report.end === end);
    return reports.length === 0 ? null : new TunnelEndWindow(reports, record);
  }

  /** Returns the growth of a counter over the window; null if the counter was not read at both ends of the window. */
  growth(counter: Counter): number | null {
    const readings = this.#reports.flatMap(report => {
      const value = report[counter];
      return value === null ? [] : [{ timeMs: report.timeMs, value }];
    });
    return growth(readings, this.#record.window);
  }

  /**
   * Returns the values of a reading inside the window, without nulls, which stand for values that the tunnel's QUIC
   * stack does not report.
   */
  values(reading: 'congestionWindowBytes' | 'rttMs' | 'queuedBytes' | 'deliveryBps' | 'bytesInFlight'): number[] {
    const { startMs, endMs } = this.#record.window;
    return this.#reports
      .filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs)
      .flatMap(report => report[reading] ?? []);
  }
}
