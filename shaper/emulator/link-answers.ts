/**
 * Schemas of the answers of coexist-link (native/), which may run on another machine. Times are microseconds and may
 * have decimals; bytes are IP bytes plus `overheadBytes` for each packet.
 */
import { z } from '../../core/schema/schema.ts';

const count = z.int().min(0);
const amount = z.number().min(0);
const address = z.ipv4();

/** Counters of a path. in + duplicated = lost + dropped + out + waiting, in packets and in bytes. */
const pathCounters = z.object({
  direction: z.enum(['down', 'up']),
  peer: address,
  inPackets: count,
  inBytes: count,
  duplicatedPackets: count,
  duplicatedBytes: count,
  /** Packets lost by random loss. */
  lostPackets: count,
  lostBytes: count,
  /** Packets dropped by the bottleneck's queue. */
  droppedPackets: count,
  droppedBytes: count,
  outPackets: count,
  outBytes: count,
  /** Packets that wait anywhere in the link. */
  waitingPackets: count,
  waitingBytes: count,
});

/** Counters of a bottleneck. in = sent + overflow + aqmDropped + backlog. */
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
  /** Packets in the queue and in service. */
  backlogPackets: count,
  backlogBytes: count,
});

/** Counters of the random loss for one sender, receiver and protocol (same fields as FlowCounters of shaper/tc). */
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

/** Counters since the last `set`; the counters of the log are those since the program's start. */
const linkCounters = z.object({
  paths: z.array(pathCounters),
  bottleneck: bottleneckCounters.nullable(),
  /** Counters of the bottleneck of direction "up"; null without one. */
  up: bottleneckCounters.nullable(),
  flows: z.array(flowLoss),
  /** Delays with which packets were written behind their due times. */
  lateness: z.object({ p50Us: amount, p99Us: amount, maxUs: amount, packets: count }),
  /** Packets whose peer has no path. */
  passedPackets: count,
  passedBytes: count,
  /** Packets that are not IPv4. */
  ignoredPackets: count,
  /** Packets refused because all buffers were full. The link then differed from its configuration. */
  noRoomPackets: count,
  /** Packets that the kernel did not accept back. */
  writeErrors: count,
  log: z.object({ records: count, lost: count }),
  /** Processor time of the program, ms. */
  cpuMs: amount,
});

export type BottleneckCounters = z.output<typeof bottleneckCounters>;
export type LinkCounters = z.output<typeof linkCounters>;

/**
 * First line that the program prints. Real-time scheduling and locked memory make the program punctual on a busy
 * machine.
 */
export const linkReadiness = z.object({
  scheduling: z.enum(['fifo', 'normal']),
  memory: z.enum(['locked', 'unlocked']),
});
export type LinkReadiness = z.output<typeof linkReadiness>;

/** Answer to a refused request. */
export const refusedAnswer = z.object({ error: z.string() });

const done = z.literal(true);
/** Schema of the answer to each request. */
export const linkAnswers = {
  set: z.object({ set: done }),
  /** `timeNs`: start time on CLOCK_MONOTONIC, ns. */
  start: z.object({ started: done, timeNs: count }),
  rate: z.object({ rate: done }),
  limit: z.object({ limit: done }),
  loss: z.object({ loss: done }),
  read: z.object({ counters: linkCounters }),
};
