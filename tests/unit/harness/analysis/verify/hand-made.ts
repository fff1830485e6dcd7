/**
 * Run folder whose values can be computed by hand: every trial has the same series. The summary has one more quantity,
 * which is in no series.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const startMs = 1_000_000;
export const endMs = 1_010_000;
/** Offset from the media server's clock to the harness's clock, ms. */
const serverOffsetMs = 7;
const mediaType = 96;

type Line = Record<string, unknown>;

const range = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Presentation times of frames: one every 20 ms, but none for 300 ms from `startMs` + 4000 on. */
const shownAt = range(650, i => startMs - 2000 + 20 * i).filter(
  time => time <= startMs + 4000 || time >= startMs + 4300,
);

export type HandMade = {
  /** Callbacks that replace those of the frames above, with their frame counts. */
  callbacks?: [timeMs: number, presentedFrames: number][];
  /** Hold-up that the page reports each second, ms; undefined if the page reports none. */
  heldUpMs?: number;
  /** False values, which the summary gets. */
  stated?: Record<string, number>;
  pcap?: Buffer;
  /** Number of the call's packets without RTP that the queue dropped. */
  droppedBeside?: number;
  /** Times of presentation, ms from the start of the window, of frames that repeat the picture before them. */
  repeatedMs?: [fromMs: number, toMs: number];
  /** Time in which the sender of the call paused, ms from the start of the window. */
  pausedMs?: [fromMs: number, toMs: number];
  /** True if a second bottleneck is behind the first. The call crosses both. */
  isRow?: boolean;
  /** Frames per second that the service captures, and the stall threshold of the study, ms. */
  frameRate?: number;
  headlineStallMs?: number;
  /** Primary metrics of the study. */
  primary?: readonly string[];
  /** Function that changes the summary. */
  spoil?: (summary: Summary) => void;
};

/** True values of the quantities of these series, computed by hand. */
export const truth = {
  'frame-rate': 48.6, // 500 less the 14 missing frames, in 10 s
  'frame-gap-max': 300,
  'frame-gap-max-least': 300,
  'stall-count': 1,
  'stall-time': 0.3,
  'freeze-count': 1,
  'freeze-time': 0.3, // 300 is over max(3 * 20, 20 + 150)
  'frame-latency-median': 50,
  'frame-latency-p95': 50,
  goodput: 1e6,
  'jain-index': 0.8, // (1 + 3)^2 / (2 (1 + 9))
  'rtt-mean': 25,
  'rtt-median': 25,
  'rtt-p95': 46.6,
  'ping-loss': 0.02, // 1 to 49 and one without an answer: 1 + 0.95 * 48
  loss: 20 / 990,
  'queue-drops': 5,
  'link-utilisation': 0.8, // 3.2 of 4 Mbit/s
  'queue-delay-median': 5,
  'queue-delay-p95': 9.5,
  'queue-loss': 0,
  'marked-share': 250 / 900, // each fourth of 1000 packets is marked, each tenth is without ECN
};

/** True values at the bottleneck from the clients. */
export const truthOfUp = { 'queue-drops': 10, 'link-utilisation': 0.2 /* 0.2 of 1 Mbit/s */ };

/** True values at the second bottleneck of a row, in both directions. */
export const truthOfRow = {
  'hop-2': {
    'queue-drops': 20,
    'link-utilisation': 0.5, // 1.2 of 2.4 Mbit/s
    'queue-delay-median': 10,
    'queue-delay-p95': 19,
    'queue-loss': 0,
    'marked-share': 0,
  },
  'hop-2-up': { 'queue-drops': 25, 'link-utilisation': 0.4 /* 0.2 of 0.5 Mbit/s */ },
};

/** True values of the other applications together. */
export const truthOfOthers = { goodput: 3e6 };

const units: Record<string, string> = {
  'frame-gap-max': 'ms',
  'frame-gap-max-least': 'ms',
  'stall-time': 's',
  'freeze-time': 's',
  'rtt-mean': 'ms',
  'rtt-median': 'ms',
  'rtt-p95': 'ms',
  goodput: 'bit/s',
};

/**
 * Packets, sent every 10 ms in the window. Feedback omits the first ten packets and reports the next twenty as lost.
 */
export const packets = range(1000, i => ({
  sequence: i,
  kind: 'media',
  rtpSequence: i,
  rtpTimestamp: 0,
  frame: 0,
  sentMs: startMs - serverOffsetMs + 10 * i,
  bytes: 0,
  payloadBytes: 0,
  receivedMs: i < 30 ? null : i,
  feedbackMs: i < 10 ? null : startMs - serverOffsetMs + 10 * i + 20,
}));

export function series({ callbacks, heldUpMs, droppedBeside = 0, repeatedMs, isRow = false }: HandMade = {}): {
  network: Record<string, Line[]>;
  media: Record<string, Line[]>;
  flood: Record<string, Line[]>;
} {
  const presented = callbacks ?? shownAt.map((time, i): [number, number] => [time, i + 1]);
  const isRepeated = (time: number) =>
    repeatedMs !== undefined && time >= startMs + repeatedMs[0] && time < startMs + repeatedMs[1];
  const mediaQueue = {
    timeMs: startMs,
    payloadTypes: packets.map(() => mediaType),
    sequences: packets.map(({ rtpSequence }) => rtpSequence),
    offeredMs: packets.map((_, i) => 9.9 * i),
    queuePackets: packets.map(() => 0),
    dropped: [],
    ecn: packets.map((_, i) => (i % 10 === 9 ? 0 : 1)),
  };
  const counted = (rate: number) => range(14, i => [startMs - 1700 + 1000 * i, rate * (300 + 1000 * i)] as const);
  return {
    network: {
      ping: range(60, i => ({
        timeMs: startMs - 1000 + 200 * i,
        sequence: i,
        rttMs: i < 5 ? 900 : i === 5 ? null : i - 5,
      })),
      'queue-delay': range(droppedBeside, i => ({
        application: 'call',
        timeMs: startMs + 1050 + 100 * i,
        protocol: 17,
        droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 1, other: 0 },
      })),
    },
    media: {
      'frames.presented': presented.map(([time, count], i) => ({
        presentationMs: time,
        presentedFrames: count,
        rtpTimestamp: i,
      })),
      'frames.sent': [
        { frame: 0, captureMs: 0, skipped: 'late', count: 1 },
        ...presented.map(([time], i) => ({
          frame: i,
          rtpTimestamp: i,
          captureMs: time - 50 - serverOffsetMs,
          key: false,
          bytes: isRepeated(time) ? 25 : 3000,
          packets: 2,
        })),
      ],
      page:
        heldUpMs === undefined
          ? []
          : range(14, i => ({ timeMs: startMs - 1900 + 1000 * i, mainThreadDelayMaxMs: heldUpMs, visible: true })),
      stats: [
        { timeMs: startMs - 1900, inbound: null },
        ...counted(125).map(([timeMs, bytesReceived]) => ({ timeMs, inbound: { bytesReceived } })),
      ],
      'queue.media': [
        { ...mediaQueue, sojournMs: packets.map((_, i) => (i % 101) / 10), marked: range(250, i => 4 * i) },
        ...(isRow ? [{ ...mediaQueue, hop: 2, sojournMs: packets.map((_, i) => (i % 101) / 5), marked: [] }] : []),
      ],
      packets,
    },
    flood: {
      tcp: counted(375).flatMap(([timeMs, bytesReceived]) => [
        { timeMs, end: 'sender', port: 5000 },
        { timeMs, end: 'receiver', port: 5000, bytesReceived },
      ]),
    },
  };
}

function trialFile(
  { number, condition, repeat }: { number: number; condition: string; repeat: number },
  { pcap, frameRate, pausedMs, isRow = false }: HandMade,
): Line {
  const clocks = { server: { offsetMs: serverOffsetMs, uncertaintyMs: 0 }, page: { offsetMs: 0, uncertaintyMs: 0 } };
  const reading = (timeMs: number, droppedPackets: number) => ({
    timeMs,
    sentBytes: (timeMs - startMs) * 400,
    sentPackets: 0,
    droppedPackets,
    backlogPackets: 0,
    up: { sentBytes: (timeMs - startMs) * 25, sentPackets: 0, droppedPackets: 2 * droppedPackets, backlogPackets: 0 },
    randomLoss: [],
    ...(isRow
      ? {
          further: [
            {
              sentBytes: (timeMs - startMs) * 150,
              droppedPackets: 4 * droppedPackets,
              up: { sentBytes: (timeMs - startMs) * 25, droppedPackets: 5 * droppedPackets },
            },
          ],
        }
      : {}),
  });
  const up = { rateBps: 1e6, bytes: 'ip', schedule: [], trace: null, loss: null };
  const further = [{ ...up, rateBps: 2.4e6, up: { ...up, rateBps: 0.5e6 } }];
  const link = { ...up, rateBps: 4e6, up, ...(isRow ? { further } : {}) };
  const traffic = { application: 'call', protocol: 17, sentPackets: 1000, sentBytes: 1e6 };
  const always = { direction: 'down', startMs: null, stopMs: null };
  return {
    format: 4,
    backend: 'emulator',
    trial: { number, id: `000${number}-${condition}`, condition, repeat },
    attempt: 1,
    verdict: { status: 'valid', findings: [] },
    phases: { windowStartMs: startMs, windowEndMs: endMs },
    bottleneck: { before: reading(startMs, 2), after: reading(endMs, 7) },
    queueLog: {
      traffic: [traffic],
      flows: [{ ...traffic, sourcePort: 1000, destinationPort: 2000 }],
      ...(isRow ? { further: [{ traffic: [traffic] }] } : {}),
    },
    capture: pcap !== undefined ? { file: 'bottleneck.pcap', packets: 1, drops: 0 } : null,
    condition: {
      id: condition,
      link,
      subject: 'call',
      applications: [
        { name: 'call', kind: 'video-call', service: { params: { frameRate } }, ...always },
        { name: 'load', kind: 'baseline', ...always },
      ],
    },
    applications: [
      {
        name: 'call',
        clocks,
        transport: null,
        ...(pausedMs === undefined
          ? {}
          : { pauses: [{ startMs: startMs + pausedMs[0], endMs: startMs + pausedMs[1] }] }),
      },
      { name: 'load', clocks: null, transport: { label: 'CUBIC' } },
    ],
  };
}

type Value = { value: number | null; low: number | null; high: number | null; n: number; confidence: number | null };
type Test = {
  pairs: number;
  changed: number;
  shift: Value;
  effect: number;
  p: number;
  correctedP: number;
  leastP: number;
  smallestShown: number | null;
};
export type Summary = {
  format: 2;
  quantities: { id: string; unit: string; better: string | null }[];
  trials: {
    name: string;
    condition: string;
    repeat: number;
    metrics: Record<string, number> | null;
    together: Record<string, number> | null;
    hops: { up: Record<string, number> };
  }[];
  conditions: {
    id: string;
    trials: number;
    degraded: number;
    voided: number;
    metrics: Record<string, Value>;
    together: Record<string, Value>;
    hops: { up: Record<string, Value> };
    everyTry: { tries: number; metrics: Record<string, Value> };
  }[];
  comparisons: {
    condition: string;
    baseline: string;
    apart: number;
    difference: Record<string, Value>;
    factor: Record<string, Value>;
    harm: Record<string, Value>;
    tests: Record<string, Test>;
    together: { difference: Record<string, Value>; factor: Record<string, Value> };
  }[];
  machines: null;
};

/** Coverage of the range of six values: all cases except the two in which all values lie on one side of the median. */
const sixOf = 1 - 2 / 64;
const six = (value: number, low = value, high = value): Value => ({ value, low, high, n: 6, confidence: sixOf });
const none: Value = { value: null, low: null, high: null, n: 0, confidence: null };

/** Quantities for which the summary also has medians over all measured tries. */
const headline = ['stall-time', 'frame-rate', 'goodput', 'frame-latency-p95'] as const;

/** Values, by repeat, of the quantity that only the summary has. The pairs differ by 1, 2, 3, 4, 5, 6. */
const madeUp = { base: [10, 20, 30, 40, 50, 60], beside: [11, 22, 33, 44, 55, 66] };

function summaryOf(
  stated: Record<string, number>,
  names: readonly { name: string; condition: 'base' | 'beside'; repeat: number }[],
): Summary {
  const values = { ...truth, ...stated };
  const constant = (of: (value: number) => Value | Test) =>
    Object.fromEntries(Object.entries(values).map(([id, value]) => [id, of(value)]));
  const everyTry = () => ({ tries: 6, metrics: Object.fromEntries(headline.map(id => [id, six(values[id])])) });
  const same: Test = {
    pairs: 6,
    changed: 0,
    shift: six(0),
    effect: 0,
    p: 1,
    correctedP: 1,
    leastP: 1,
    smallestShown: null,
  };
  // all six differences have one sign: 2 of 64 cases; the Walsh averages are 1 to 6, their median 3.5
  const differs: Test = {
    pairs: 6,
    changed: 6,
    shift: six(3.5, 1, 6),
    effect: 1,
    p: 0.03125,
    correctedP: 0.03125,
    leastP: 0.03125,
    smallestShown: 4,
  };
  const upMedians = Object.fromEntries(Object.entries(truthOfUp).map(([id, value]) => [id, six(value)]));
  return {
    format: 2,
    quantities: [
      ...Object.keys(values).map(id => ({ id, unit: units[id] ?? '', better: 'lower' })),
      { id: 'made-up', unit: '', better: 'higher' },
    ],
    trials: names.map(({ name, condition, repeat }) => ({
      name,
      condition,
      repeat,
      metrics: { ...values, 'made-up': madeUp[condition][repeat - 1]! },
      together: { ...truthOfOthers },
      hops: { up: { ...truthOfUp } },
    })),
    conditions: [
      {
        id: 'base',
        trials: 6,
        degraded: 0,
        voided: 0,
        everyTry: everyTry(),
        together: { goodput: six(truthOfOthers.goodput) },
        hops: { up: upMedians },
        metrics: { ...(constant(value => six(value)) as Record<string, Value>), 'made-up': six(35, 10, 60) },
      },
      {
        id: 'beside',
        trials: 6,
        degraded: 0,
        voided: 0,
        everyTry: everyTry(),
        together: { goodput: six(truthOfOthers.goodput) },
        hops: { up: upMedians },
        metrics: { ...(constant(value => six(value)) as Record<string, Value>), 'made-up': six(38.5, 11, 66) },
      },
    ],
    comparisons: [
      {
        condition: 'beside',
        baseline: 'base',
        apart: 0,
        difference: { ...(constant(() => six(0)) as Record<string, Value>), 'made-up': six(3.5, 1, 6) },
        factor: { ...(constant(value => (value === 0 ? none : six(1))) as Record<string, Value>), 'made-up': six(1.1) },
        harm: { ...(constant(() => six(0)) as Record<string, Value>), 'made-up': six(-0.1) },
        tests: { ...(constant(() => same) as Record<string, Test>), 'made-up': differs },
        together: { difference: { goodput: six(0) }, factor: { goodput: six(1) } },
      },
    ],
    machines: null,
  };
}

export const linesOf = (all: readonly Line[]) => all.map(line => `${JSON.stringify(line)}\n`).join('');

/** Writes the folder of a run of two conditions with six trials each. */
export function writeRun(path: string, made: HandMade = {}): void {
  const { stated = {}, pcap, headlineStallMs = null, primary, spoil } = made;
  const names = range(12, i => ({
    number: i + 1,
    condition: (i % 2 === 0 ? 'base' : 'beside') as 'base' | 'beside',
    repeat: Math.floor(i / 2) + 1,
  })).map(trial => ({ ...trial, name: `${String(trial.number).padStart(4, '0')}-${trial.condition}` }));
  const { network, media, flood } = series(made);
  for (const { name, number, condition, repeat } of names) {
    const folder = join(path, 'trials', name);
    const write = (directory: string, all: Record<string, Line[]>) => {
      mkdirSync(directory, { recursive: true });
      for (const [file, content] of Object.entries(all))
        writeFileSync(join(directory, `${file}.jsonl`), linesOf(content));
    };
    write(folder, network);
    write(join(folder, 'applications/call'), media);
    write(join(folder, 'applications/load'), flood);
    if (pcap !== undefined) writeFileSync(join(folder, 'bottleneck.pcap'), pcap);
    writeFileSync(join(folder, 'trial.json'), JSON.stringify(trialFile({ number, condition, repeat }, made)));
  }
  writeFileSync(
    join(path, 'plan.json'),
    JSON.stringify({
      plan: { format: 4, measure: { headlineStallMs }, primary, conditions: [{ id: 'base' }, { id: 'beside' }] },
    }),
  );
  const summary = summaryOf(stated, names);
  spoil?.(summary);
  writeFileSync(join(path, 'summary.json'), JSON.stringify(summary));
}

/** First sequence number of a flow. With this number the sequence numbers wrap at 2^32 during the capture. */
const firstNumber = 2 ** 32 - 50_000;

function frame(timeMs: number, protocol: number, transport: Buffer, payloadBytes: number): Buffer {
  const ip = Buffer.alloc(20);
  ip.writeUInt8(0x45, 0);
  ip.writeUInt16BE(20 + transport.length + payloadBytes, 2);
  ip.writeUInt8(protocol, 9);
  const kept = Buffer.concat([Buffer.from('000000000000000000000000' + '0800', 'hex'), ip, transport]);
  const head = Buffer.alloc(16);
  [Math.floor(timeMs / 1000), (timeMs % 1000) * 1e6, kept.length, kept.length + payloadBytes].forEach((value, i) =>
    head.writeUInt32LE(Math.round(value), 4 * i),
  );
  return Buffer.concat([head, kept]);
}

function tcp(timeMs: number, sequence: number, payloadBytes: number, flags = 0x10): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16BE(5000, 0);
  header.writeUInt16BE(5201, 2);
  header.writeUInt32BE(sequence % 2 ** 32, 4);
  header.writeUInt8(0x50, 12);
  header.writeUInt8(flags, 13);
  return frame(timeMs, 6, header, payloadBytes);
}

function rtp(timeMs: number, sequence: number, payloadBytes: number): Buffer {
  const headers = Buffer.alloc(20);
  headers.writeUInt16BE(1000, 0);
  headers.writeUInt16BE(2000, 2);
  headers.writeUInt8(0x80, 8);
  headers.writeUInt8(mediaType, 9);
  headers.writeUInt16BE(sequence, 10);
  return frame(timeMs, 17, headers, payloadBytes);
}

/**
 * Returns the capture of such a trial. Media: packets of 1250 bytes every 10 ms with a tag of 16 bytes, without the
 * packets lost before the bottleneck. Flood: 3750 bytes every 10 ms, of which one packet is 100 ms late.
 */
export function capture({
  lost = (sequence: number) => sequence >= 10 && sequence < 30,
  untilMs = Number.POSITIVE_INFINITY,
}: {
  lost?: (sequence: number) => boolean;
  untilMs?: number;
} = {}): Buffer {
  const header = Buffer.from('4d3cb2a1' + '02000400' + '0000000000000000' + '80000000' + '01000000', 'hex');
  const late = 500;
  const flood = range(1300, i => ({ time: startMs - 1990 + 10 * i + (i === late ? 100 : 0), data: [i * 3750] }));
  const all = [
    { time: startMs - 1999, packet: tcp(startMs - 1999, firstNumber - 1, 0, 0x02) },
    ...flood.map(({ time, data: [at] }) => ({ time, packet: tcp(time, firstNumber + at!, 3750) })),
    ...packets
      .filter(({ sequence }) => !lost(sequence))
      .map(({ rtpSequence, sentMs }) => ({
        time: sentMs + serverOffsetMs + 1,
        packet: rtp(sentMs + serverOffsetMs + 1, rtpSequence, 1266),
      })),
  ].filter(({ time }) => time < untilMs);
  return Buffer.concat([header, ...all.sort((a, b) => a.time - b.time).map(({ packet }) => packet)]);
}
