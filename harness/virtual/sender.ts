/**
 * A video sender with any controller and its receiver, in virtual time.
 *
 * Frames come at a fixed rate; their size follows the target rate with seeded jitter. Sizes are those on the wire. The
 * pacer is that of the media server. Lost packets are not sent again. An encoder whose pacer is full pauses.
 */
import { deriveSeed, seededRandom } from '../../core/random.ts';
import type {
  Constraints,
  Controller,
  Decision,
  FeedbackKind,
  PacketResult,
  SentPacket,
} from '../../server/congestion/controller.ts';
import { FrameDropper } from '../../server/media/frame-dropper.ts';
import { type PacedPacket, Pacer } from '../../server/pacing/pacer.ts';
import type { Span } from './competitors.ts';
import type { EventQueue } from './event-queue.ts';
import type { Fate, Sends } from './link.ts';
import { Receiver, type Report, reportIntervalMs } from './receiver.ts';
import { ReceiverEstimator } from './receiver-estimator.ts';
import type { PacketRecord, Recording } from './recording.ts';

/** `isMarked`: true if it has arrived with CE. */
type Sent = SentPacket & { isMarked?: (() => boolean) | undefined };

export type SenderOptions = {
  controller: Controller;
  /** Feedback of the receiver: reports of arrivals, or its own estimate. Without it, reports. */
  feedback?: FeedbackKind | undefined;
  /** ECN field of its packets. Without it, they are not ECN-capable, and no feedback tells of marks. */
  ect?: 'ect0' | 'ect1' | undefined;
  seed?: number;
  constraints?: Partial<Constraints>;
  /** Changes of the constraints. */
  constraintSteps?: readonly ({ atMs: number } & Partial<Constraints>)[];
  /** Delay of the way back, ms. It holds where `back` is missing. */
  returnMs?: number;
  media?: {
    /** Largest rate of the encoder, bit/s. */
    maxBps?: number;
    /** Frames per second. */
    frameRate?: number;
    /** Frames differ in size by up to this share of the mean, either way. */
    jitterRatio?: number;
    /** Times without a frame. */
    pauses?: readonly Span[];
  };
  /** Longest burst of the pacer until the controller asks for another, as time at the pacing rate, ms. */
  pacerBurstMs?: number;
  /** Times in which reports do not arrive. */
  feedbackLoss?: readonly Span[];
};

/** Link of a sender, and the link that carries its reports back; without it they take `returnMs`. */
type SenderLinks = { events: EventQueue; link: Sends; back?: Sends };

const usualFrameRate = 30;
const maxPacketBytes = 1200;
/** A padding packet of the server's: what one byte of count can tell of, with its headers. */
const paddingPacketBytes = 304;
/** As the session starts, before a controller has said anything. */
const startPacingFactor = 2.5;
const tickMs = 25;
const traceMs = 100;
/** The encoder pauses when the pacer's queue would last longer: the product's default, ms. */
const maxPacerQueueMs = 300;
/** Size of a report on the wire, with its headers: transport-wide feedback on some tens of packets, bytes. */
const reportBytes = 100;
/** RTCP reports tell of the round trip and of losses so often, ms. */
const rtcpIntervalMs = 1000;

export class Sender {
  readonly #options: SenderOptions;
  readonly #controller: Controller;
  readonly #events: EventQueue;
  readonly #link: Sends;
  readonly #back: Sends | undefined;
  readonly #receiver = new Receiver();
  readonly #estimator: ReceiverEstimator | undefined;
  readonly #recording: Recording;
  readonly #pacer: Pacer<PacedPacket>;
  readonly #returnMs: number;
  readonly #dropper = new FrameDropper();
  #constraints: Constraints;
  #targetBps = 0;
  #nextSequence = 0;
  #history: Sent[] = [];
  #historyStart = 0;
  #inFlightBytes = 0;
  #outOfFlight = 0;
  #rttMs: number | undefined;
  #rttMeasuredMs = -Infinity;
  #sinceReport = { lost: 0, expected: 0 };
  #wakeMs = Infinity;
  #isProcessing = false;
  #isEnded = false;

  constructor(options: SenderOptions, { events, link, back }: SenderLinks, recording: Recording) {
    this.#options = options;
    this.#controller = options.controller;
    this.#events = events;
    this.#link = link;
    this.#back = back;
    this.#returnMs = options.returnMs ?? 25;
    this.#recording = recording;
    this.#estimator = options.feedback === 'remb' ? new ReceiverEstimator() : undefined;
    this.#constraints = { minBps: 30e3, startBps: 300e3, maxBps: 8e6, ...options.constraints };
    this.#pacer = new Pacer(this.#constraints.startBps * startPacingFactor, {
      burstMs: options.pacerBurstMs,
      send: ({ sizeBytes }, nowMs, probe) => this.#send(sizeBytes, 'media', probe, nowMs),
      sendPadding: (bytes, nowMs, probe) => this.#sendPadding(bytes, probe, nowMs),
    });
  }

  /** Starts the sender. It is called once, at this time. */
  begin(nowMs: number): void {
    const events = this.#events;
    this.#apply(this.#controller.onConstraints(this.#constraints, nowMs), nowMs);
    for (const { atMs, ...changed } of this.#options.constraintSteps ?? []) {
      events.at(atMs, laterMs => {
        this.#constraints = { ...this.#constraints, ...changed };
        this.#apply(this.#controller.onConstraints(this.#constraints, laterMs), laterMs);
      });
    }
    this.#startEncoder(nowMs);
    events.every(tickMs, nowMs + tickMs, atMs =>
      this.#apply(this.#controller.onTick(atMs, this.#pacer.queuedBytes), atMs),
    );
    if (this.#estimator === undefined)
      events.every(reportIntervalMs, nowMs + reportIntervalMs, atMs => this.#onReportTimer(atMs));
    events.every(traceMs, nowMs + traceMs, atMs =>
      this.#recording.traces.push({ atMs, trace: this.#controller.trace() }),
    );
  }

  /** Ends the sender: it sends nothing from now on. */
  end(): void {
    this.#isEnded = true;
  }

  #startEncoder(startMs: number): void {
    const { maxBps = Infinity, frameRate = usualFrameRate, jitterRatio = 0.2, pauses = [] } = this.#options.media ?? {};
    const random = seededRandom(deriveSeed(this.#options.seed ?? 1, 'frames'));
    this.#events.every(1000 / frameRate, startMs, nowMs => {
      const jitter = 1 + jitterRatio * (2 * random.next() - 1);
      const isPaused = pauses.some(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs);
      if (isPaused || this.#dropper.drops() || this.#pacer.drainMs > maxPacerQueueMs) return;
      const frameBytes = Math.max(1, Math.round((Math.min(this.#targetBps, maxBps) / 8 / frameRate) * jitter));
      const packets = Math.ceil(frameBytes / maxPacketBytes);
      this.#pacer.enqueue(
        Array.from({ length: packets }, (_, i) => ({
          kind: 'media',
          sizeBytes: Math.floor((frameBytes + i) / packets),
          queuedMs: nowMs,
        })),
      );
      this.#process(nowMs);
    });
  }

  #apply(decision: Decision, nowMs: number): void {
    if (decision.targetBps !== undefined) {
      this.#targetBps = decision.targetBps;
      this.#recording.targets.push({ atMs: nowMs, targetBps: decision.targetBps });
    }
    if (decision.frameDropRatio !== undefined) this.#dropper.setRatio(decision.frameDropRatio);
    this.#pacer.setRates(decision);
    for (const probe of decision.probes ?? []) this.#pacer.addProbe(probe, nowMs);
    this.#process(nowMs);
  }

  /** Runs the pacer and books its next wake-up. Decisions made while it sends take effect when it is done. */
  #process(nowMs: number): void {
    if (this.#isProcessing || this.#isEnded) return;
    this.#isProcessing = true;
    this.#pacer.setInFlight(this.#inFlightBytes);
    const nextMs = this.#pacer.process(nowMs);
    this.#isProcessing = false;
    this.#wakeMs = nextMs;
    this.#events.at(nextMs, laterMs => {
      if (laterMs === this.#wakeMs) this.#process(laterMs);
    });
  }

  /** As the server's sender: nothing before the first media. */
  #sendPadding(bytes: number, probe: number | undefined, nowMs: number): number {
    if (this.#nextSequence === 0) return 0;
    const packets = Math.ceil(bytes / paddingPacketBytes);
    for (let i = 0; i < packets; i++) this.#send(paddingPacketBytes, 'padding', probe, nowMs);
    return packets * paddingPacketBytes;
  }

  #send(sizeBytes: number, kind: SentPacket['kind'], probe: number | undefined, nowMs: number): void {
    const sequence = this.#nextSequence++;
    this.#inFlightBytes += sizeBytes;
    const packet: SentPacket = {
      sequence,
      sentMs: nowMs,
      sizeBytes,
      kind,
      inFlightBytes: this.#inFlightBytes,
    };
    if (probe !== undefined) packet.probe = probe;
    const sent: Sent = { ...packet };
    this.#history.push(sent);
    const record: PacketRecord = { sentMs: nowMs, sizeBytes, kind };
    this.#recording.packets.push(record);
    const decided = (fate: Fate) => {
      if (fate.kind !== 'arrives') return;
      Object.assign(record, { arrivedMs: fate.atMs, queueMs: fate.queueMs });
      sent.isMarked = fate.isMarked;
      this.#expect(packet, fate.atMs);
    };
    this.#link.send(sizeBytes, nowMs, decided, this.#options.ect);
    this.#apply(this.#controller.onPacketSent(packet), nowMs);
  }

  #expect({ sequence, sentMs, sizeBytes }: SentPacket, atMs: number): void {
    const estimator = this.#estimator;
    if (estimator === undefined) return this.#receiver.expect(sequence, atMs);
    this.#events.at(atMs, receivedMs => {
      const receiverEstimateBps = estimator.add({ sentMs, receivedMs, sizeBytes });
      if (receiverEstimateBps === undefined || this.#isFeedbackLost(receivedMs)) return;
      this.#return(receivedMs, arrivedMs => {
        this.#apply(
          this.#controller.onFeedback({ arrivedMs, packets: [], inFlightBytes: 0, receiverEstimateBps }),
          arrivedMs,
        );
      });
    });
  }

  #isFeedbackLost(nowMs: number): boolean {
    return this.#options.feedbackLoss?.some(({ fromMs, toMs }) => nowMs >= fromMs && nowMs < toMs) ?? false;
  }

  #onReportTimer(nowMs: number): void {
    const report = this.#receiver.report(nowMs);
    if (report !== undefined && !this.#isFeedbackLost(nowMs))
      this.#return(nowMs, arrivedMs => this.#onReport(report, nowMs, arrivedMs));
  }

  /** Sends a report now. `arrived`: called when it arrives, and never if the link back drops it. */
  #return(nowMs: number, arrived: (arrivedMs: number) => void): void {
    if (this.#back === undefined) return this.#events.at(nowMs + this.#returnMs, arrived);
    this.#back.send(reportBytes, nowMs, fate => {
      if (fate.kind === 'arrives') this.#events.at(fate.atMs, arrived);
    });
  }

  #onReport({ first, receivedMs }: Report, reportedMs: number, arrivedMs: number): void {
    const packets = receivedMs.map((received, index): PacketResult => {
      const { isMarked, ...packet } = this.#history[first + index - this.#historyStart]!;
      const { ect } = this.#options;
      if (ect === undefined || received === null) return { ...packet, receivedMs: received };
      return { ...packet, receivedMs: received, ecn: isMarked?.() ? 'ce' : ect };
    });
    const last = first + receivedMs.length;
    for (; this.#outOfFlight < last; this.#outOfFlight++)
      this.#inFlightBytes -= this.#history[this.#outOfFlight - this.#historyStart]!.sizeBytes;
    this.#history = this.#history.slice(last - this.#historyStart);
    this.#historyStart = last;
    this.#sinceReport.expected += packets.length;
    for (const packet of packets) if (packet.receivedMs === null) this.#sinceReport.lost++;
    if (arrivedMs - this.#rttMeasuredMs >= rtcpIntervalMs) {
      this.#rttMeasuredMs = arrivedMs;
      this.#controller.onLossReport?.(this.#sinceReport.lost, this.#sinceReport.expected, arrivedMs);
      this.#sinceReport = { lost: 0, expected: 0 };
      this.#rttMs = this.#recording.packets[last - 1]!.arrivedMs! - packets.at(-1)!.sentMs + arrivedMs - reportedMs;
    }
    const rtt = this.#rttMs === undefined ? {} : { rttMs: this.#rttMs };
    this.#apply(
      this.#controller.onFeedback({ arrivedMs, packets, inFlightBytes: this.#inFlightBytes, ...rtt }),
      arrivedMs,
    );
  }
}
