/** Hand-made records: what a trial would have written, with round numbers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { presentationsOf } from '../../../../harness/analysis/derive/presentation.ts';
import type { Application } from '../../../../harness/definition/applications.ts';
import type { Condition } from '../../../../harness/definition/conditions.ts';
import { loadSeries } from '../../../../harness/record/load-series.ts';
import type { PresentedFrameRecord } from '../../../../harness/record/series/frames.presented.ts';
import type { SenderRecord } from '../../../../harness/record/series/sender.ts';
import type { StatsRecord } from '../../../../harness/record/series/stats.ts';
import type { TcpRecord } from '../../../../harness/record/series/tcp.ts';
import type { TransportReading } from '../../../../harness/record/transport.ts';
import type { ApplicationFile, BottleneckReading, TrialFile } from '../../../../harness/record/trial-file.ts';
import { applicationsFolder, TrialRecord } from '../../../../harness/record/trial-record.ts';

/** The window of every hand-made trial: ten seconds. */
export const startMs = 10_000;
export const endMs = 20_000;

export const condition: Condition = {
  id: 'wired',
  title: 'Wired',
  baseline: 'baseline',
  subject: 'service',
  link: plainLink(40e6, { unit: 'packets', value: 1000 }, ['service', 'flood']),
  applications: [
    application('service', 'video-call', 'live-clip', {}),
    application('flood', 'baseline', 'iperf', { congestionControl: 'bbr', flows: 1 }),
  ],
};

/** One that runs for the whole trial. */
export function application(name: string, kind: string, id: string, params: object): Application {
  return {
    name,
    kind,
    service: { id, title: id, params },
    direction: 'down',
    startMs: null,
    stopMs: null,
    headStartMs: null,
  };
}

/** What a test may say of a trial: of its file, of its subject (clocks, facts), and of its flood's connections. */
export type Change = Partial<TrialFile> &
  Partial<Pick<ApplicationFile, 'clocks' | 'facts'>> & { flood?: TransportReading | null };

export function trialFile({ clocks, facts, flood: transport, ...change }: Change = {}): TrialFile {
  const of = change.condition ?? condition;
  const atOnce = { offsetMs: 0, uncertaintyMs: 0.1 };
  return {
    format: 4,
    study: 'study',
    trial: { number: 2, id: '0002-wired', condition: 'wired', repeat: 1, seed: 7 },
    condition,
    attempt: 1,
    verdict: { status: 'valid', findings: [] },
    phases: { preparedMs: 5000, readyMs: 7000, windowStartMs: startMs, windowEndMs: endMs, endMs: endMs + 500 },
    backend: 'tc',
    preflight: null,
    bottleneck: null,
    queueLog: null,
    capture: null,
    cpuRatio: null,
    applications: of.applications.map(({ name, startMs: ownStartMs }, k): ApplicationFile => {
      const isSubject = name === of.subject;
      const begunMs = ownStartMs === null ? (isSubject ? 6000 : 5500) : startMs + ownStartMs;
      return {
        name,
        addresses: { server: `10.0.${2 * k + 1}.2`, client: `10.0.2.${k + 2}` },
        startMs: begunMs,
        readyMs: ownStartMs === null ? (isSubject ? 7000 : 5900) : begunMs,
        stopMs: endMs + 100,
        received: null,
        clocks: isSubject && clocks !== undefined ? clocks : { server: atOnce, page: atOnce },
        facts: isSubject ? (facts ?? null) : null,
        transport: isSubject ? null : (transport ?? null),
      };
    }),
    ...change,
  };
}

/** Series of the link and the machine, and of the flood; all others are the subject's. */
const ofTrial = [...(await loadSeries()).values()].filter(({ of }) => of === 'trial').map(({ id }) => id);
const ofFlood = ['tcp', 'bbr3'];

/** Folder of a series by its name. */
export function seriesFolder(directory: string, { directory: own }: TrialRecord, name: string): string {
  if (ofTrial.includes(name)) return directory;
  return ofFlood.includes(name) ? join(directory, applicationsFolder, 'flood') : own;
}

/** Writes series by file name ("ping" for ping.jsonl) into a new folder and opens it as a record. */
export function writeRecord(
  directory: string,
  series: Record<string, readonly object[]>,
  change: Change = {},
): TrialRecord {
  const record = new TrialRecord(trialFile(change), directory);
  for (const [name, lines] of Object.entries(series)) {
    const folder = seriesFolder(directory, record, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.jsonl`), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  }
  return record;
}

export function presented(
  presentationMs: number,
  presentedFrames: number,
  rtpTimestamp: number | null = null,
): PresentedFrameRecord {
  return {
    callbackMs: presentationMs - 1,
    presentationMs,
    expectedDisplayMs: presentationMs + 10,
    presentedFrames,
    receiveMs: presentationMs - 20,
    rtpTimestamp,
    captureTimeMs: presentationMs - 50,
    processingMs: 2,
    width: 1280,
    height: 720,
  };
}

/** A callback for each time, none missed. */
export function presentedAt(timesMs: readonly number[]): PresentedFrameRecord[] {
  return timesMs.map((time, i) => presented(time, i + 1));
}

/** Presentation times of all frames, ms, ascending. */
export const presentationTimes = (frames: readonly PresentedFrameRecord[]): number[] =>
  presentationsOf(frames).map(({ timeMs }) => timeMs);

/** from, from + step, ... up to and including `to`. */
export function every(stepMs: number, fromMs: number, toMs: number): number[] {
  return Array.from({ length: Math.floor((toMs - fromMs) / stepMs + 1e-9) + 1 }, (_, i) => fromMs + i * stepMs);
}

export function stats(timeMs: number, inbound: Record<string, number>): StatsRecord {
  return { timeMs, inbound, candidatePair: null, remoteOutbound: null };
}

export function tcp(timeMs: number, end: 'sender' | 'receiver', port: number, values: Partial<TcpRecord>): TcpRecord {
  return { timeMs, end, port, congestionControl: 'bbr', ...values };
}

export function sender(timeMs: number, change: Partial<SenderRecord> = {}): SenderRecord {
  return {
    timeMs,
    intervalMs: 1000,
    cpuRatio: 0.3,
    eventLoopDelayMaxMs: 5,
    framesEncoded: 0,
    framesSkippedLate: 0,
    framesSkippedPacer: 0,
    framesSkippedPushback: 0,
    frameLatenessMaxMs: 1,
    encodeMaxMs: 5,
    keyFrames: 1,
    sentBytes: 0,
    sentPackets: 0,
    retransmissions: 0,
    protectionPackets: 0,
    nackedPackets: 0,
    pictureLossIndications: 0,
    fullIntraRequests: 0,
    malformedRtcp: 0,
    rateChanges: 0,
    targetBps: 1e6,
    encoderBps: 1e6,
    rttMs: null,
    pacerQueueMaxMs: 0,
    residentBytes: 1e9,
    ...change,
  };
}

export function reading(timeMs: number, change: Partial<BottleneckReading> = {}): BottleneckReading {
  return { timeMs, sentBytes: 0, sentPackets: 0, droppedPackets: 0, backlogPackets: 0, randomLoss: [], ...change };
}

export const flood = { label: 'BBRv1', evidence: 'ss', flows: [] };
