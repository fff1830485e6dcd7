/**
 * What RTCP reports say was lost since those before them, over all streams (RFC 3550, section 6.4.1; libwebrtc 2026-08,
 * call/rtp_transport_controller_send.cc: OnReport).
 */
import type { ReportBlock } from './rtcp-reader.ts';

type LossReport = { lostPackets: number; expectedPackets: number };

export class LossReports {
  /** By SSRC. */
  readonly #last = new Map<number, ReportBlock>();

  /**
   * Of the blocks of one report. Undefined where nothing can be said: there was none before, or nothing arrived since.
   */
  add(blocks: readonly ReportBlock[]): LossReport | undefined {
    const since = { lostPackets: 0, expectedPackets: 0 };
    for (const block of blocks) {
      const before = this.#last.get(block.ssrc);
      this.#last.set(block.ssrc, block);
      if (before === undefined) continue;
      since.expectedPackets += block.highestSequence - before.highestSequence;
      since.lostPackets += block.cumulativeLost - before.cumulativeLost;
    }
    return since.expectedPackets - since.lostPackets < 1 || since.expectedPackets === 0 ? undefined : since;
  }
}
