/** Samples the sender once a second: CPU time, lateness, and counters of frames and packets. */
import { nowMs } from '../../core/system/clock.ts';
import { TimerLateness } from '../../core/system/timer-lateness.ts';
import type { SenderSample } from '../control/protocol.ts';
import type { Session } from './session.ts';

export class SenderSampler {
  readonly #session: Session;
  readonly #lateness = new TimerLateness();
  readonly #onSample: (sample: SenderSample) => void;
  readonly #timer: NodeJS.Timeout;
  #lastMs = nowMs();
  #lastCpu = process.cpuUsage();

  constructor(session: Session, onSample: (sample: SenderSample) => void) {
    this.#session = session;
    this.#onSample = onSample;
    this.#timer = setInterval(() => this.sample(), 1000);
  }

  sample(): void {
    const session = this.#session;
    const timeMs = nowMs();
    const intervalMs = timeMs - this.#lastMs;
    const cpu = process.cpuUsage(this.#lastCpu);
    const { latenessMaxMs, encodeMaxMs } = session.loop.takePeaks();
    const { encoded, skippedLate, skippedPacer, skippedPushback, keyFrames, rateChanges } = session.loop.counters;
    const { nackedPackets, pictureLossIndications, fullIntraRequests, malformedRtcp, reportedEcn } = session.counters;
    this.#onSample({
      timeMs,
      intervalMs,
      cpuRatio: (cpu.user + cpu.system) / 1000 / intervalMs,
      eventLoopDelayMaxMs: this.#lateness.take(),
      framesEncoded: encoded,
      framesSkippedLate: skippedLate,
      framesSkippedPacer: skippedPacer,
      framesSkippedPushback: skippedPushback,
      frameLatenessMaxMs: latenessMaxMs,
      encodeMaxMs,
      keyFrames,
      rateChanges,
      sentBytes: session.sender.counters.bytes,
      sentPackets: session.sender.counters.packets,
      retransmissions: session.sender.counters.retransmissions,
      protectionPackets: session.sender.counters.protectionPackets,
      nackedPackets,
      pictureLossIndications,
      fullIntraRequests,
      malformedRtcp,
      ...(reportedEcn === undefined ? {} : { reportedEcn: { ...reportedEcn } }),
      targetBps: session.targetBps,
      encoderBps: session.encoderBps,
      rttMs: session.rttMs ?? null,
      pacerQueueMaxMs: session.takePacerQueueMaxMs(),
      residentBytes: process.memoryUsage.rss(),
    });
    this.#lastMs = timeMs;
    this.#lastCpu = process.cpuUsage();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#lateness.stop();
  }
}
