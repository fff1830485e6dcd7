/**
 * What coexist-link (native/) answers, object for object: read through schemas, since it may run on another
 * machine. Times are microseconds and may have decimals; bytes are IP bytes plus `overheadBytes` for each packet.
 */
import { z } from '../../core/schema/schema.ts';

const count = z.int().min(0);
const amount = z.number().min(0);
const address = z.ipv4();

/** In + duplicated = lost + dropped + out + waiting, in packets and in bytes. */
const pathCounters = z.object({
  direction: z.enum(['down', 'up']),
  peer: address,
  inPackets: count,
  inBytes: count,
  duplicatedPackets: count,
  duplicatedBytes: count,
  /** By random loss. */
  lostPackets: count,
  lostBytes: count,
  /** By the bottleneck's queue. */
  droppedPackets: count,
  droppedBytes: count,
  outPackets: count,
  outBytes: count,
  /** Somewhere in the link. */
  waitingPackets: count,
  waitingBytes: count,
});

/** In = sent + overflow + aqmDropped + backlog. */
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
  /** In queue and service. */
  backlogPackets: count,
  backlogBytes: count,
});

/** What met the random loss of one sender, receiver and protocol (the same fields as FlowCounters of shaper/tc). */
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

/** Counters since the last `set`; those of the log since the program began. */
const linkCounters = z.object({
  paths: z.array(pathCounters),
  bottleneck: bottleneckCounters.nullable(),
  /** Of the bottleneck of "up". */
  up: bottleneckCounters.nullable(),
  flows: z.array(flowLoss),
  /** How much later than due packets were written. */
  lateness: z.object({ p50Us: amount, p99Us: amount, maxUs: amount, packets: count }),
  /** Packets without a path. */
  passedPackets: count,
  passedBytes: count,
  /** What is not IPv4. */
  ignoredPackets: count,
  /** Packets turned away because all buffers were taken: the link was not what it was told to be. */
  noRoomPackets: count,
  /** Packets that the kernel did not take back. */
  writeErrors: count,
  log: z.object({ records: count, lost: count }),
  /** Processor time. */
  cpuMs: amount,
});

export type BottleneckCounters = z.output<typeof bottleneckCounters>;
export type LinkCounters = z.output<typeof linkCounters>;

/** What the program got of what it wants for keeping time beside a busy machine; its first line. */
export const linkReadiness = z.object({
  scheduling: z.enum(['fifo', 'normal']),
  memory: z.enum(['locked', 'unlocked']),
});
export type LinkReadiness = z.output<typeof linkReadiness>;

/** Instead of any other answer. */
export const refusedAnswer = z.object({ error: z.string() });

const done = z.literal(true);
/** By request. */
export const linkAnswers = {
  set: z.object({ set: done }),
  /** On CLOCK_MONOTONIC. */
  start: z.object({ started: done, timeNs: count }),
  rate: z.object({ rate: done }),
  limit: z.object({ limit: done }),
  loss: z.object({ loss: done }),
  read: z.object({ counters: linkCounters }),
};
