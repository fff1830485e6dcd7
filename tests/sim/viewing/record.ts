/** What a trial would have written of a simulated viewing. */
import { type Link, plainLink } from '../../../core/vocabulary/link.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';
import { condition, endMs, every, sender, startMs, writeRecord } from '../../unit/harness/support/record.ts';
import type { Faults } from '../viewing.ts';
import type { Bottleneck, Span } from './bottleneck.ts';

export type SimFrame = {
  number: number;
  captureMs: number;
  encodedMs: number;
  key: boolean;
  missing: Set<number>;
  packets: Packet[];
  completeMs: number | null;
  shownMs: number | null;
};
/** `number`: in its own RTP stream, from 0. */
export type Packet = {
  frame: SimFrame;
  index: number;
  number: number;
  isRepair: boolean;
  sentMs: number;
  arrivedMs: number | null;
  feedbackMs: number | null;
};

const packetBytes = 1200;
/** The media server's clock is behind by this; the origin of the browser's feedback lies here. Both ms. */
const serverBehindMs = 1000;
const feedbackOriginMs = 777_777.25;
/** RTP numbers that wrap on the way. */
const firstSequence = { media: 65_000, repair: 12 } as const;
const payloadType = { media: 102, repair: 103 } as const;

type Row = {
  payloadType: number;
  sequence: number;
  offeredMs: number;
  sojournMs: number | null;
  queuePackets: number;
  reason: string | null;
};

export class ViewingRecord {
  readonly frames: SimFrame[] = [];
  readonly media: Packet[] = [];
  readonly #packets: Packet[] = [];
  readonly #skips: object[] = [];
  readonly #rows: Row[] = [];
  readonly #bottleneck: Bottleneck;
  readonly #withQueueLog: boolean;
  #faults: Faults = {};
  #repairs = 0;

  constructor(bottleneck: Bottleneck, withQueueLog: boolean) {
    this.#bottleneck = bottleneck;
    this.#withQueueLog = withQueueLog;
  }

  skip(number: number, dueMs: number, why: 'late' | 'pacer'): void {
    this.#skips.push({ frame: number, captureMs: dueMs - serverBehindMs, skipped: why, count: 1 });
  }

  packet(frame: SimFrame, index: number, sentMs: number, isRepair: boolean): Packet {
    const packet: Packet = {
      frame,
      index,
      number: isRepair ? this.#repairs++ : this.media.length,
      isRepair,
      sentMs,
      arrivedMs: null,
      feedbackMs: null,
    };
    this.#packets.push(packet);
    if (!isRepair) {
      this.media.push(packet);
      frame.packets.push(packet);
    }
    return packet;
  }

  /** Offers a packet to the bottleneck; returns when it leaves it, null where it does not. */
  offer({ isRepair, number, sentMs }: Packet): number | null {
    const kind = isRepair ? 'repair' : 'media';
    const fate = this.#bottleneck.offer('server', packetBytes, sentMs);
    const row = {
      payloadType: payloadType[kind],
      sequence: (firstSequence[kind] + number) % 65_536,
      offeredMs: sentMs + 0.1,
    };
    this.#rows.push(
      fate.dropped === null
        ? { ...row, sojournMs: fate.sojournMs - 0.1, queuePackets: fate.queuePackets, reason: null }
        : { ...row, sojournMs: 0, queuePackets: this.#bottleneck.queuePackets, reason: fate.dropped },
    );
    return fate.dropped === null ? fate.leftMs : null;
  }

  tellFaults(faults: Faults): void {
    this.#faults = faults;
  }

  /** Writes it into a new folder. `told`: what the condition says of the rate. */
  write(directory: string, told: Partial<Pick<Link, 'rateBps' | 'schedule'>> = {}): TrialRecord {
    return writeRecord(directory, this.#series(), {
      clocks: { server: { offsetMs: serverBehindMs, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } },
      condition: {
        ...condition,
        link: {
          ...plainLink(20e6, { unit: 'packets', value: 1000 }, ['service', 'flood']),
          ...told,
          loss: this.#faults.lossBehind === undefined ? null : { kind: 'independent', ratio: 0.1, where: 'after' },
        },
      },
    });
  }

  #series(): Record<string, object[]> {
    const { sender: senderStop, receiver, machine } = this.#faults;
    const seconds = every(1000, startMs - 500, endMs + 500);
    /** Told by the reading after its end. */
    const delayAt = (timeMs: number, span: Span | undefined) =>
      span !== undefined && span.toMs <= timeMs && span.toMs > timeMs - 1000 ? span.toMs - span.fromMs : 2;
    const shown = this.frames.filter(frame => frame.shownMs !== null).sort((a, b) => a.shownMs! - b.shownMs!);
    const fromServer = (ms: number) => ms - serverBehindMs;
    return {
      'frames.sent': [
        ...this.frames.map(({ number, captureMs, encodedMs, key, packets }) => ({
          frame: number,
          rtpTimestamp: number * 1800,
          clipFrame: number,
          captureMs: fromServer(captureMs),
          encodedMs: fromServer(encodedMs),
          firstPacketMs: fromServer(packets[0]!.sentMs),
          lastPacketMs: fromServer(packets.at(-1)!.sentMs),
          bytes: packets.length * packetBytes,
          packets: packets.length,
          key,
          encoderBps: 2.4e6,
        })),
        ...this.#skips,
      ],
      packets: this.#packets.map(({ frame, number, isRepair, sentMs, arrivedMs, feedbackMs }, sequence) => ({
        sequence,
        kind: isRepair ? 'retransmission' : 'media',
        rtpSequence: (firstSequence[isRepair ? 'repair' : 'media'] + number) % 65_536,
        rtpTimestamp: frame.number * 1800,
        frame: isRepair ? -1 : frame.number,
        sentMs: fromServer(sentMs),
        bytes: packetBytes,
        payloadBytes: packetBytes - 80,
        receivedMs: arrivedMs === null ? null : arrivedMs - feedbackOriginMs,
        feedbackMs: feedbackMs === null ? null : fromServer(feedbackMs),
      })),
      'frames.presented': shown.map(({ number, shownMs, completeMs }, i) => ({
        callbackMs: shownMs! - 1,
        presentationMs: shownMs,
        expectedDisplayMs: shownMs! + 10,
        presentedFrames: i + 1,
        receiveMs: completeMs,
        rtpTimestamp: number * 1800,
        processingMs: 3,
        width: 1280,
        height: 720,
      })),
      sender: seconds.map(timeMs => sender(fromServer(timeMs), { eventLoopDelayMaxMs: delayAt(timeMs, senderStop) })),
      page: seconds.map(timeMs => ({ timeMs, mainThreadDelayMaxMs: delayAt(timeMs, receiver), visible: true })),
      host: seconds.map(timeMs => ({
        timeMs,
        cores: 2,
        busyRatio: 1,
        stealRatio: 0,
        wakeUpDelayMaxMs: delayAt(timeMs, machine),
        harnessDelayMaxMs: 1,
      })),
      rtt: seconds.map(timeMs => ({ timeMs: fromServer(timeMs), rttMs: 12, from: 'report' })),
      ...(this.#withQueueLog ? { 'queue.media': this.#queueLines(), 'queue-delay': this.#bottleneck.bins() } : {}),
    };
  }

  #queueLines(): object[] {
    const lines: object[] = [];
    for (let from = 0; from < this.#rows.length; from += 1000) {
      const rows = this.#rows.slice(from, from + 1000);
      const timeMs = rows[0]!.offeredMs;
      lines.push({
        timeMs,
        payloadTypes: rows.map(row => row.payloadType),
        sequences: rows.map(row => row.sequence),
        offeredMs: rows.map(row => row.offeredMs - timeMs),
        sojournMs: rows.map(row => row.sojournMs),
        queuePackets: rows.map(row => row.queuePackets),
        dropped: rows.flatMap(({ reason }, index) => (reason === null ? [] : [{ index, reason }])),
      });
    }
    return lines;
  }
}
