/**
 * A viewing in virtual time with faults put into it, as the record of a trial: 50 frames a second over a bottleneck,
 * repaired by retransmission, shown in order. The same options give the same record.
 *
 * A part that is stopped does in the end what it would have done meanwhile. Sizes are those on the wire.
 */

import { EventQueue } from '../../harness/virtual/event-queue.ts';
import { endMs, startMs } from '../unit/harness/support/record.ts';
import { Bottleneck, type DropReason, isIn, type Span } from './viewing/bottleneck.ts';
import { type Packet, type SimFrame, ViewingRecord } from './viewing/record.ts';

export type Faults = {
  /** The sender's process is stopped. */
  sender?: Span;
  /** What is in the encoder stays there. */
  encoder?: Span;
  /** The pacer lets nothing go; or no frames are taken because it is full. */
  pacer?: Span;
  pacerFull?: Span;
  /** The bottleneck carries nothing. */
  outage?: Span;
  /** Bytes of somebody else that come to the queue at once. */
  blast?: { atMs: number; bytes: number };
  /** Somebody else sends more than the link carries. */
  flood?: Span;
  /** Everything is lost at random, before the queue or behind it. */
  loss?: Span;
  lossBehind?: Span;
  /**
   * What was lost in a loss is sent again this much later than it could be, ms; Infinity: never, and a key frame is
   * asked for.
   */
  repairDelayMs?: number;
  /** The browser's processes are stopped; its page knows of it. */
  receiver?: Span;
  /** The browser shows nothing, its page being punctual. */
  browser?: Span;
  /** Timers of a thread that only sleeps are late by the length of this. */
  machine?: Span;
};

export type ViewingOptions = {
  faults: Faults;
  rateBps?: number;
  queueBytes?: number;
  fullReason?: DropReason;
  withQueueLog?: boolean;
};

const periodMs = 20;
const packetsPerFrame = 5;
const encodingMs = 5;
const pacingMs = 0.5;
const wireMs = 1;
const feedbackMs = 6;
const showingMs = 15;
const keyRequestMs = 100;
/** A flood of 121 Mbit/s. */
const [floodEveryMs, floodBytes] = [0.2, 2 * 1514];
const none: Span = { fromMs: Infinity, toMs: Infinity };

export function simulateViewing(options: ViewingOptions): ViewingRecord {
  return new Viewing(options).run();
}

class Viewing {
  readonly #faults: Faults;
  readonly #events = new EventQueue();
  readonly #bottleneck: Bottleneck;
  readonly #record: ViewingRecord;
  #loopFreeMs = 0;
  #keyWanted = false;
  #highest = -1;
  /** Index of the first frame after the one that is shown. */
  #unshown = 0;

  constructor({
    faults,
    rateBps = 20e6,
    queueBytes = 2e6,
    fullReason = 'overflow',
    withQueueLog = true,
  }: ViewingOptions) {
    this.#faults = faults;
    this.#bottleneck = new Bottleneck({
      rateBps,
      queueBytes,
      fullReason,
      outages: [faults.outage ?? none],
      loss: faults.loss ?? none,
    });
    this.#record = new ViewingRecord(this.#bottleneck, withQueueLog);
  }

  run(): ViewingRecord {
    const { blast, flood = none } = this.#faults;
    const count = (endMs - startMs + 2000) / periodMs;
    for (let number = 0; number < count; number++)
      this.#events.at(startMs - 1000 + number * periodMs, dueMs => this.#take(number, dueMs));
    if (blast !== undefined)
      this.#events.at(blast.atMs, nowMs => this.#bottleneck.offer('flooder', blast.bytes, nowMs));
    for (let atMs = flood.fromMs; atMs < flood.toMs; atMs += floodEveryMs)
      this.#events.at(atMs, nowMs => this.#bottleneck.offer('flooder', floodBytes, nowMs));
    this.#events.runUntil(endMs + 3000);
    this.#record.tellFaults(this.#faults);
    return this.#record;
  }

  /** When something happens that would happen at `ms` in a part that is stopped during the span. */
  #unstopped(ms: number, span: Span = none): number {
    return isIn(span, ms) ? span.toMs : ms;
  }

  #take(number: number, dueMs: number): void {
    const captureMs = this.#unstopped(Math.max(dueMs, this.#loopFreeMs), this.#faults.sender);
    if (captureMs >= dueMs + periodMs) return this.#record.skip(number, dueMs, 'late');
    const { pacerFull = none, encoder = none } = this.#faults;
    if (isIn(pacerFull, dueMs)) return this.#record.skip(number, dueMs, 'pacer');
    let encodedMs = captureMs + encodingMs;
    if (captureMs < encoder.toMs && encodedMs > encoder.fromMs) encodedMs = encoder.toMs + encodingMs;
    encodedMs = this.#unstopped(encodedMs, this.#faults.sender);
    this.#loopFreeMs = encodedMs;
    this.#events.at(Math.max(dueMs, encodedMs), () =>
      this.#send({
        number,
        captureMs,
        encodedMs,
        key: number === 0 || this.#takeKey(),
        missing: new Set(),
        packets: [],
        completeMs: null,
        shownMs: null,
      }),
    );
  }

  #takeKey(): boolean {
    const wanted = this.#keyWanted;
    this.#keyWanted = false;
    return wanted;
  }

  #send(frame: SimFrame): void {
    this.#record.frames.push(frame);
    for (let i = 0; i < packetsPerFrame; i++) {
      frame.missing.add(i);
      const sentMs = this.#unstopped(
        this.#unstopped(frame.encodedMs + i * pacingMs, this.#faults.pacer),
        this.#faults.sender,
      );
      this.#events.at(sentMs, nowMs => this.#depart(this.#record.packet(frame, i, nowMs, false)));
    }
  }

  #depart(packet: Packet): void {
    const leftMs = this.#record.offer(packet);
    const { lossBehind = none } = this.#faults;
    if (leftMs === null || isIn(lossBehind, leftMs)) return;
    this.#events.at(this.#unstopped(leftMs + wireMs, this.#faults.receiver), nowMs => this.#arrive(packet, nowMs));
  }

  #arrive(packet: Packet, nowMs: number): void {
    const { frame } = packet;
    packet.arrivedMs = nowMs;
    packet.feedbackMs = nowMs + feedbackMs;
    if (!packet.isRepair) this.#lookForLosses(packet, nowMs);
    frame.missing.delete(packet.index);
    if (frame.missing.size > 0 || frame.packets.length < packetsPerFrame || frame.completeMs !== null) return;
    frame.completeMs = nowMs;
    this.#events.at(this.#unstopped(nowMs + showingMs, this.#faults.browser ?? this.#faults.receiver), () =>
      this.#show(),
    );
  }

  /** Packets that were sent before one that arrived, and did not: they are asked for again. */
  #lookForLosses({ number }: Packet, nowMs: number): void {
    for (let missing = this.#highest + 1; missing < number; missing++)
      this.#askAgain(this.#record.media[missing]!, nowMs);
    this.#highest = Math.max(this.#highest, number);
  }

  #askAgain(packet: Packet, nowMs: number): void {
    const delayMs = this.#faults.repairDelayMs ?? 0;
    packet.feedbackMs = nowMs + feedbackMs;
    if (delayMs === Infinity) {
      this.#events.at(nowMs + keyRequestMs, () => {
        this.#keyWanted = true;
      });
      return;
    }
    this.#events.at(nowMs + feedbackMs + delayMs, sentMs =>
      this.#depart(this.#record.packet(packet.frame, packet.index, sentMs, true)),
    );
  }

  /** Shows the newest frame that can be decoded: a key frame, or one with all before it since the last that is shown. */
  #show(): void {
    const { frames } = this.#record;
    let newest: SimFrame | undefined;
    let isWhole = true;
    for (let k = this.#unshown; k < frames.length; k++) {
      const frame = frames[k]!;
      isWhole = frame.completeMs !== null && (isWhole || frame.key);
      if (!isWhole) continue;
      newest = frame;
      this.#unshown = k + 1;
    }
    if (newest !== undefined) newest.shownMs = this.#events.nowMs;
  }
}
