/**
 * A run of many trials as a real one writes it, made of seeded numbers: for how long its report takes, never for what
 * it says.
 */
import { deriveSeed, type Random, seededRandom } from '../../../core/random.ts';
import { loadStudy } from '../../../harness/definition/load.ts';
import { makePlan } from '../../../harness/definition/plan.ts';
import { withValue } from '../../../harness/definition/set.ts';
import { RunFolder } from '../../../harness/record/run-folder.ts';
import type { PreflightReading } from '../../../harness/record/trial-file.ts';
import { loadRegistries } from '../../../harness/trial/registries.ts';
import { every, presented, reading, sender, stats, tcp, writeRecord } from '../../unit/harness/support/record.ts';
import { commitTrial, fileOf, versions } from '../../unit/harness/support/run-folder.ts';

/** Times of a made trial, ms. */
const firstFrameMs = 7000;
const startMs = 10_000;

/** Frames at 30 a second, less some, and stalls now and then. */
function presentationTimes(random: Random, endMs: number): number[] {
  const times: number[] = [];
  for (
    let time = firstFrameMs;
    time < endMs;
    time += random.next() < 0.002 ? 200 + 600 * random.next() : 33 + 3 * random.next()
  )
    times.push(time);
  return times;
}

function write(directory: string, random: Random, endMs: number): void {
  const seconds = every(1000, firstFrameMs - 1000, endMs);
  const elapsed = (time: number) => (time - firstFrameMs) / 1000 + 1;
  const mediaBps = 1e6 + 5e6 * random.next();
  const shown = presentationTimes(random, endMs);
  writeRecord(directory, {
    'frames.presented': shown.map((time, i) => presented(time, i + 1, 3000 * i)),
    'frames.sent': shown.map((time, i) => ({
      frame: i,
      rtpTimestamp: 3000 * i,
      captureMs: time - 30 - 20 * random.next(),
      encodedMs: time - 25,
      firstPacketMs: time - 24,
      lastPacketMs: time - 20,
      bytes: 9000,
      packets: 8,
      key: i === 0,
      encoderBps: mediaBps,
    })),
    stats: seconds.map(time =>
      stats(time, {
        framesDecoded: 30 * elapsed(time),
        bytesReceived: (mediaBps / 8) * elapsed(time),
        jitter: 0.002,
        freezeCount: 0,
        totalFreezesDuration: 0,
      }),
    ),
    sender: seconds.map(time => sender(time, { targetBps: mediaBps * (0.9 + 0.2 * random.next()) })),
    ping: every(200, firstFrameMs, endMs).map((timeMs, i) => ({
      timeMs,
      sequence: i + 1,
      rttMs: random.next() < 0.01 ? null : 10 + 60 * random.next(),
    })),
    tcp: seconds.map(time => tcp(time, 'receiver', 9, { bytesReceived: 4e6 * elapsed(time) })),
    'queue-delay': every(100, startMs + 50, endMs).map(timeMs => ({
      timeMs,
      sender: 'server',
      protocol: 17,
      delayMedianMs: 40 * random.next(),
    })),
  });
}

const preflight: PreflightReading = {
  status: 'passed',
  summary: 'rate 40 Mbit/s, queue 1000 packets',
  earlier: false,
  durationMs: 8000,
  readings: Array.from({ length: 12 }, (_, i) => ({
    id: `reading-${i}`,
    step: 'delay' as const,
    title: `reading ${i} of the path, other to client`,
    unit: 'ms' as const,
    asked: i,
    measured: i + 0.01,
    tolerance: { low: i - 1, high: i + 1 },
    verdict: 'ok' as const,
    note: null,
    certain: false,
  })),
};

/** The study "flood-kinds", whose eight conditions vary two things, with that many trials in all. */
export async function makeRun(path: string, trials: number, windowMs: number): Promise<RunFolder> {
  const { definition } = await loadStudy('flood-kinds');
  const repeats = Math.ceil(trials / 8);
  const plan = makePlan(
    'flood-kinds',
    withValue(withValue(definition, 'run.window', `${windowMs}ms`), 'run.repeats', repeats),
    await loadRegistries(),
  );
  const folder = RunFolder.create(path, { plan, versions, createdMs: Date.UTC(2026, 10, 20) });
  for (const trial of plan.trials) {
    const endMs = startMs + windowMs;
    const random = seededRandom(deriveSeed(1, trial.id));
    const file = fileOf(plan, trial.number, {
      flood: { label: 'BBRv3', evidence: 'ss -tin shows "bbr3"', flows: [] },
      preflight,
      cpuRatio: { 'service server': 0.2 + 0.1 * random.next(), 'service client': 0.8 },
      bottleneck: {
        before: reading(startMs),
        after: reading(endMs, {
          sentBytes: (4e6 * windowMs) / 1000,
          sentPackets: 3000,
          droppedPackets: Math.floor(100 * random.next()),
        }),
      },
      phases: {
        preparedMs: 5000,
        readyMs: firstFrameMs,
        windowStartMs: startMs,
        windowEndMs: endMs,
        endMs: endMs + 500,
      },
    });
    commitTrial(folder, file, directory => write(directory, random, endMs));
  }
  folder.release();
  return folder;
}
