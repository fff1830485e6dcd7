/** Samples the sender once a second: CPU time, lateness, and counters of frames and packets. */
import { nowMs } from '../../core/system/clock.ts';
import { TimerLateness } from '../../core/system/timer-lateness.ts';
import type { SenderSample } from '../control/protocol.ts';
import type { Session } from './session.ts';

/** Part of a sample that a session knows. The rest is about the process. */
export type SessionSample = Omit<
  SenderSample,
  'timeMs' | 'intervalMs' | 'cpuRatio' | 'eventLoopDelayMaxMs' | 'residentBytes'
>;

/** Returns the present values of a session with video. Peaks start anew. */
export function sampleOf(session: Session): SessionSample {
  const { latenessMaxMs, encodeMaxMs } = session.loop.takePeaks();
  const { encoded, skippedLate, skippedPacer, skippedPushback, keyFrames, rateChanges } = session.loop.counters;
  const { nackedPackets, pictureLossIndications, fullIntraRequests, malformedRtcp, reportedEcn } = session.counters;
  return {
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
  };
}

export class SenderSampler {
  readonly #session: () => SessionSample;
  readonly #lateness = new TimerLateness();
  readonly #onSample: (sample: SenderSample) => void;
  readonly #timer: NodeJS.Timeout;
  #lastMs = nowMs();
  #lastCpu = process.cpuUsage();

  /** `session`: returns the present values of the session. */
  constructor(session: () => SessionSample, onSample: (sample: SenderSample) => void) {
    this.#session = session;
    this.#onSample = onSample;
    this.#timer = setInterval(() => this.sample(), 1000);
  }

  sample(): void {
    const timeMs = nowMs();
    const intervalMs = timeMs - this.#lastMs;
    const cpu = process.cpuUsage(this.#lastCpu);
    this.#onSample({
      timeMs,
      intervalMs,
      cpuRatio: (cpu.user + cpu.system) / 1000 / intervalMs,
      eventLoopDelayMaxMs: this.#lateness.take(),
      ...this.#session(),
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
