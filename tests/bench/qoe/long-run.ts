/**
 * A run of one trial of ten minutes at 50 Mbit/s, made up: 60 frames a second of 83 packets, 1 % lost and repaired, a
 * stall every minute.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFolder } from '../../../harness/record/run-folder.ts';
import { planOf } from '../../unit/harness/support/plan.ts';
import { every, presented, sender, stats, writeRecord } from '../../unit/harness/support/record.ts';
import { commitTrial, createFolder, fileOf } from '../../unit/harness/support/run-folder.ts';

const startMs = 1_790_000_000_000.4321;
const windowMs = 600_000;
const leadMs = 3000;
const periodMs = 1000 / 60;
const packetsPerFrame = 83;
const packetBytes = 1258;
const stallEveryMs = 60_000;
const stallMs = 400;
const feedbackOriginMs = 1_700_000_000_000;
const lostEvery = 100;
/** Of a frame without losses, from its capture: encoded, sent, one packet after the other. */
const [encodingMs, pacingMs, queueMs, wireMs, showingMs] = [4.1234, 0.1, 3.25, 0.5, 12];

type Row = {
  kind: 'media' | 'retransmission';
  number: number;
  frame: number;
  sentMs: number;
  waitMs: number;
  isLost: boolean;
};

const timestampOf = (frame: number) => (frame * 1500) % 2 ** 32;

/** How long a packet waits in the queue: to the end of the stall where one is under way. */
function waitOf(sentMs: number): number {
  const sinceMs = (sentMs - startMs) % stallEveryMs;
  return sentMs > startMs + stallEveryMs && sinceMs < stallMs ? stallMs - sinceMs + queueMs : queueMs;
}

function packetLine({ kind, number, frame, sentMs, waitMs, isLost }: Row, sequence: number): string {
  const feedbackMs = sentMs + waitMs + wireMs + 40.1234;
  return JSON.stringify({
    sequence,
    kind,
    rtpSequence: number % 65_536,
    rtpTimestamp: timestampOf(frame),
    frame: kind === 'media' ? frame : -1,
    sentMs,
    bytes: packetBytes,
    payloadBytes: packetBytes - 80,
    receivedMs: isLost ? null : Math.round((sentMs + waitMs + wireMs - feedbackOriginMs) * 4) / 4,
    feedbackMs,
  });
}

function queueLine(rows: readonly Row[]): string {
  const timeMs = rows[0]!.sentMs;
  const rounded = (ms: number) => Math.round(ms * 1000) / 1000;
  return JSON.stringify({
    timeMs,
    payloadTypes: rows.map(({ kind }) => (kind === 'media' ? 102 : 103)),
    sequences: rows.map(({ number }) => number % 65_536),
    offeredMs: rows.map(({ sentMs }) => rounded(sentMs - timeMs)),
    sojournMs: rows.map(({ waitMs, isLost }) => (isLost ? 0 : rounded(waitMs))),
    queuePackets: rows.map(({ waitMs }) => Math.round(waitMs * 4)),
    dropped: rows.flatMap(({ isLost }, index) => (isLost ? [{ index, reason: 'random-loss' }] : [])),
  });
}

/** The packets of a frame, the lost ones behind it again. */
function rowsOf(frame: number, captureMs: number, counters: { media: number; again: number }): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < packetsPerFrame; i++) {
    const sentMs = captureMs + encodingMs + i * pacingMs;
    rows.push({
      kind: 'media',
      number: counters.media,
      frame,
      sentMs,
      waitMs: waitOf(sentMs),
      isLost: counters.media % lostEvery === 7,
    });
    counters.media++;
  }
  for (const { sentMs } of rows.filter(({ isLost }) => isLost)) {
    const againMs = Math.max(sentMs + 9, captureMs + encodingMs + packetsPerFrame * pacingMs);
    rows.push({
      kind: 'retransmission',
      number: counters.again++,
      frame,
      sentMs: againMs,
      waitMs: waitOf(againMs),
      isLost: false,
    });
  }
  return rows;
}

function write(directory: string): number {
  const seconds = every(1000, startMs, startMs + windowMs);
  const elapsedS = (timeMs: number) => (timeMs - startMs) / 1000;
  const frames = Math.floor((windowMs + 2 * leadMs) / periodMs);
  const [sent, shown]: [object[], object[]] = [[], []];
  const files = {
    packets: openSync(join(directory, 'packets.jsonl'), 'w'),
    queue: openSync(join(directory, 'queue.media.jsonl'), 'w'),
  };
  const counters = { media: 0, again: 0 };
  let packets = 0;
  let waiting: Row[] = [];
  let lastShownMs = 0;
  for (let frame = 0; frame < frames; frame++) {
    const captureMs = startMs - leadMs + frame * periodMs;
    const rows = rowsOf(frame, captureMs, counters);
    writeSync(files.packets, rows.map(row => `${packetLine(row, packets++)}\n`).join(''));
    waiting.push(...rows);
    if (waiting.length > 900 || frame === frames - 1) {
      writeSync(files.queue, `${queueLine(waiting)}\n`);
      waiting = [];
    }
    sent.push({
      frame,
      rtpTimestamp: timestampOf(frame),
      clipFrame: frame,
      captureMs,
      encodedMs: captureMs + encodingMs,
      firstPacketMs: rows[0]!.sentMs,
      lastPacketMs: rows[packetsPerFrame - 1]!.sentMs,
      bytes: 1e5,
      packets: packetsPerFrame,
      key: frame === 0,
      encoderBps: 48e6,
    });
    const receiveMs = Math.max(
      ...rows.filter(({ isLost }) => !isLost).map(({ sentMs, waitMs }) => sentMs + waitMs + wireMs),
    );
    const presentationMs = receiveMs + showingMs;
    if (presentationMs > lastShownMs + 1) {
      shown.push({ ...presented(presentationMs, shown.length + 1, timestampOf(frame)), receiveMs, processingMs: 3 });
      lastShownMs = presentationMs;
    }
  }
  closeSync(files.packets);
  closeSync(files.queue);
  const bin = (timeMs: number) => ({
    sender: 'server',
    source: '10.0.1.2',
    protocol: 17,
    timeMs,
    sentPackets: 500,
    sentBytes: 625_000,
    markedPackets: 0,
    droppedPackets: { overflow: 0, 'random-loss': 5, aqm: 0, other: 0 },
    delayMedianMs: queueMs,
    delayMaxMs: queueMs,
  });
  writeRecord(directory, {
    'frames.sent': sent,
    'frames.presented': shown,
    stats: seconds.map(timeMs =>
      stats(timeMs, {
        framesDecoded: 60 * elapsedS(timeMs),
        bytesReceived: 6.25e6 * elapsedS(timeMs),
        jitter: 0.002,
        freezeCount: 0,
        totalFreezesDuration: 0,
      }),
    ),
    sender: seconds.map(timeMs => sender(timeMs)),
    page: seconds.map(timeMs => ({ timeMs, mainThreadDelayMaxMs: 2, visible: true })),
    host: seconds.map(timeMs => ({
      timeMs,
      cores: 2,
      busyRatio: 1,
      stealRatio: 0,
      wakeUpDelayMaxMs: 1,
      harnessDelayMaxMs: 1,
    })),
    ping: every(200, startMs, startMs + windowMs).map((timeMs, i) => ({ timeMs, sequence: i, rttMs: 20 })),
    'queue-delay': every(100, startMs + 50, startMs + windowMs).map(bin),
    controller: every(50, startMs, startMs + windowMs).map(timeMs => ({
      timeMs,
      inFlightBytes: 1e5,
      targetBps: 50e6,
      state: 'hold',
    })),
    rtt: seconds.map(timeMs => ({ timeMs, rttMs: 20, from: 'report' })),
  });
  return packets;
}

/** Writes the run into a new folder in `parent`. */
export function writeLongRun(parent: string): { run: RunFolder; packets: number } {
  const plan = planOf({
    link: { rate: '100mbit', queue: { limit: '1000packets' } },
    run: { window: `${windowMs / 1000}s` },
  });
  const run = createFolder(parent, 'long', plan);
  const file = fileOf(plan, 1, {
    phases: {
      preparedMs: startMs - 9000,
      readyMs: startMs - leadMs,
      windowStartMs: startMs,
      windowEndMs: startMs + windowMs,
      endMs: startMs + windowMs + leadMs,
    },
  });
  let packets = 0;
  commitTrial(run, file, directory => {
    packets = write(directory);
  });
  return { run, packets };
}
