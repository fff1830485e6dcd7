/**
 * Computes the losses between consecutive RTCP reports, over all streams (RFC 3550, section 6.4.1; libwebrtc 2026-08,
 * call/rtp_transport_controller_send.cc: OnReport).
 */
import type { ReportBlock } from './rtcp-reader.ts';

type LossReport = { lostPackets: number; expectedPackets: number };

export class LossReports {
  /** Newest report block of each stream, by SSRC. */
  readonly #last = new Map<number, ReportBlock>();

  /**
   * Takes the blocks of one report; returns the losses since the previous report. Returns undefined if there was no
   * previous report, or if no packet has arrived since then.
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
