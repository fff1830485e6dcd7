/**
 * Answers of coexist-link (native/), parsed by schemas because it may run on another machine. Times are microseconds
 * and may have decimals; bytes are IP bytes plus `overheadBytes` for each packet.
 */
import { z } from '../../core/schema/schema.ts';

const count = z.int().min(0);
const amount = z.number().min(0);
const address = z.ipv4();

/** in + duplicated = lost + dropped + out + waiting, in packets and in bytes. */
const pathCounters = z.object({
  direction: z.enum(['down', 'up']),
  peer: address,
  inPackets: count,
  inBytes: count,
  duplicatedPackets: count,
  duplicatedBytes: count,
  /** Lost by random loss. */
  lostPackets: count,
  lostBytes: count,
  /** Dropped by the bottleneck's queue. */
  droppedPackets: count,
  droppedBytes: count,
  outPackets: count,
  outBytes: count,
  /** Waiting anywhere in the link. */
  waitingPackets: count,
  waitingBytes: count,
});

/** in = sent + overflow + aqmDropped + backlog. */
const bottleneckCounters = z.object({
  markedPackets: count,
  inPackets: count,
  inBytes: count,
  sentPackets: count,
  sentBytes: count,
  overflowPackets: count,
  overflowBytes: count,
  aqmDroppedPackets: count,
  aqmDroppedBytes: count,
  /** In queue and in service. */
  backlogPackets: count,
  backlogBytes: count,
});

/** Random loss of one sender, receiver and protocol (same fields as FlowCounters of shaper/tc). */
const flowLoss = z.object({
  source: address,
  destination: address,
  /** IP protocol number: 1 ICMP, 6 TCP, 17 UDP. */
  protocol: z.int().min(0).max(255),
  packets: count,
  bytes: count,
  lostPackets: count,
  lostBytes: count,
});

/** Counters since the last `set`; those of the log since the program's start. */
const linkCounters = z.object({
  paths: z.array(pathCounters),
  bottleneck: bottleneckCounters.nullable(),
  /** Bottleneck of direction "up". */
  up: bottleneckCounters.nullable(),
  flows: z.array(flowLoss),
  /** Time by which packets were written late. */
  lateness: z.object({ p50Us: amount, p99Us: amount, maxUs: amount, packets: count }),
  /** Packets without a path. */
  passedPackets: count,
  passedBytes: count,
  /** Packets that are not IPv4. */
  ignoredPackets: count,
  /** Packets refused because all buffers were full: the link differed from its configuration. */
  noRoomPackets: count,
  /** Packets that the kernel did not accept back. */
  writeErrors: count,
  log: z.object({ records: count, lost: count }),
  /** Processor time of the program. */
  cpuMs: amount,
});

export type BottleneckCounters = z.output<typeof bottleneckCounters>;
export type LinkCounters = z.output<typeof linkCounters>;

/** First line of the program: scheduling and memory that it got for punctuality on a busy machine. */
export const linkReadiness = z.object({
  scheduling: z.enum(['fifo', 'normal']),
  memory: z.enum(['locked', 'unlocked']),
});
export type LinkReadiness = z.output<typeof linkReadiness>;

/** Answer to a refused request. */
export const refusedAnswer = z.object({ error: z.string() });

const done = z.literal(true);
/** Answers by request. */
export const linkAnswers = {
  set: z.object({ set: done }),
  /** `timeNs`: time on CLOCK_MONOTONIC. */
  start: z.object({ started: done, timeNs: count }),
  rate: z.object({ rate: done }),
  limit: z.object({ limit: done }),
  loss: z.object({ loss: done }),
  read: z.object({ counters: linkCounters }),
};
