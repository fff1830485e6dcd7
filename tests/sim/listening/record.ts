/** Writes the record that a trial would have written of a simulated call. */
import { type Random, seededRandom } from '../../../core/random.ts';
import { plainLink } from '../../../core/vocabulary/link.ts';
import type { VoiceHeardRecord } from '../../../harness/record/series/voice.heard.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';
import { clipLines, heardLines, heardSamples, perMs } from '../../unit/harness/analysis/derive/voice/spoken.ts';
import { condition, every, sender, startMs, trialFile, writeRecord } from '../../unit/harness/support/record.ts';
import { type Call, type Fault, leadMs } from './call.ts';
import type { Listener } from './listener.ts';

/** Origin of the clock of the feedback, ms, its steps, and the time between two reports. */
const [feedbackOriginMs, tickMs, feedbackEveryMs] = [777_777.25, 0.25, 100];
/** Share of the reports that are lost on their way back. */
const lostReports = 0.01;
/** RTP numbers that wrap on the way. */
const firstSequence = 65_000;
const firstTimestamp = 2 ** 32 - 480_000;
/** Time by which a busy page tells a part of the voice too late, at most, ms. */
const pageLateMs = 8;

function packetLines({ frames, options }: Call, random: Random) {
  const lost = new Set<number>();
  for (let report = 0; report < (options.lengthMs + 10_000) / feedbackEveryMs; report++)
    if (random.next() < lostReports) lost.add(report);
  let seenMs = startMs - leadMs;
  return frames.map(({ spokenMs, sentMs, arrivedMs }, k) => {
    // a lost packet is reported with the next ones
    seenMs = Math.max(seenMs, arrivedMs ?? sentMs + options.pathMs);
    const report = Math.ceil((seenMs - startMs + leadMs) / feedbackEveryMs);
    const isTold = !lost.has(report);
    const feedbackMs = startMs - leadMs + report * feedbackEveryMs + options.pathMs;
    return {
      sequence: k,
      kind: 'voice',
      rtpSequence: (firstSequence + k) % 65_536,
      rtpTimestamp: (firstTimestamp + (spokenMs - startMs + leadMs) * 48) % 2 ** 32,
      frame: -1,
      sentMs: sentMs - options.serverBehindMs,
      bytes: 150,
      payloadBytes: 80,
      receivedMs: arrivedMs === null || !isTold ? null : Math.floor((arrivedMs - feedbackOriginMs) / tickMs) * tickMs,
      feedbackMs: isTold ? feedbackMs - options.serverBehindMs : null,
    };
  });
}

function queueLines({ frames }: Call): object[] {
  const lines: object[] = [];
  for (let from = 0; from < frames.length; from += 1000) {
    const rows = frames.slice(from, from + 1000);
    const timeMs = rows[0]!.offeredMs;
    lines.push({
      timeMs,
      payloadTypes: rows.map(() => 111),
      sequences: rows.map((_, i) => (firstSequence + from + i) % 65_536),
      offeredMs: rows.map(({ offeredMs }) => offeredMs - timeMs),
      sojournMs: rows.map(({ queue }) => queue?.sojournMs ?? 0),
      queuePackets: rows.map(({ queue }) => queue?.packets ?? 0),
      dropped: rows.flatMap(({ dropped }, index) => (dropped === null ? [] : [{ index, reason: dropped }])),
    });
  }
  return lines;
}

/** Parts of what was heard. While the receiver is stopped nothing is passed on for playing, and no part has that time. */
function heard(call: Call, listener: Listener, random: Random): VoiceHeardRecord[] {
  const { faults, lengthMs } = call.options;
  const fromMs = startMs - 1000;
  const samples = heardSamples(
    ms => listener.heardAt(ms),
    fromMs - startMs + leadMs,
    lengthMs + 1000,
    listener.fillerFrom(fromMs - startMs + leadMs),
  );
  const lines: VoiceHeardRecord[] = [];
  let beginMs = fromMs;
  const take = (endMs: number) => {
    const own = samples.subarray(Math.round((beginMs - fromMs) * perMs), Math.round((endMs - fromMs) * perMs));
    lines.push(...heardLines(own, beginMs));
  };
  for (const { span, stops } of faults) {
    if (stops !== 'receiver') continue;
    take(Math.round(span.fromMs));
    beginMs = Math.round(span.toMs);
  }
  take(fromMs + lengthMs + 1000);
  return lines.map(({ timeMs, pcm }) => ({ timeMs: timeMs + pageLateMs * random.next() ** 3, pcm }));
}

/** Longest delay that a reading tells: now and then one of some tens of ms, and the stops that this series tells. */
function delays(timesMs: readonly number[], faults: readonly Fault[], told: Fault['told'], random: Random) {
  return timesMs.map(timeMs => {
    const stops = faults.filter(
      fault => fault.told === told && fault.span.toMs <= timeMs && fault.span.toMs > timeMs - 1000,
    );
    const usualMs = 1 + 5 * random.next() + (random.next() < 0.1 ? 40 * random.next() : 0);
    return { timeMs, delayMs: Math.max(usualMs, ...stops.map(({ span }) => span.toMs - span.fromMs)) };
  });
}

export function writeCall(directory: string, call: Call, listener: Listener): TrialRecord {
  const { seed, lengthMs, faults, red, rateBps, lossPlace, serverBehindMs } = call.options;
  const random = seededRandom(seed + 1);
  const fromServer = (ms: number) => ms - serverBehindMs;
  const endMs = startMs + lengthMs;
  const readings = (told: Fault['told']) =>
    delays(every(1000, startMs - 2000 + 1000 * random.next(), endMs + 1000), faults, told, random);
  const planned = faults.flatMap(({ span, slowBps, isPlanned = false }) =>
    slowBps === undefined || !isPlanned
      ? []
      : [
          { atMs: span.fromMs - startMs, rateBps: slowBps, rampMs: 0 },
          { atMs: span.toMs - startMs, rateBps, rampMs: 0 },
        ],
  );
  return writeRecord(
    directory,
    {
      'voice.clip': clipLines,
      'voice.sent': [
        {
          spokenMs: fromServer(startMs - leadMs),
          clipMs: 0,
          rtpTimestamp: firstTimestamp,
          packets: 1,
          payloadBytes: 80,
          redundantFrames: red,
          latenessMaxMs: 0.2,
        },
      ],
      'voice.heard': heard(call, listener, random),
      packets: packetLines(call, random),
      'queue.media': queueLines(call),
      'queue-delay': call.bottleneck.bins(),
      'link-stops': faults
        .filter(({ told }) => told === 'link')
        .map(({ span }) => ({ timeMs: span.fromMs, lengthMs: span.toMs - span.fromMs })),
      sender: readings('sender').map(({ timeMs, delayMs }) =>
        sender(fromServer(timeMs), { eventLoopDelayMaxMs: delayMs }),
      ),
      page: readings('page').map(({ timeMs, delayMs }) => ({
        timeMs,
        mainThreadDelayMaxMs: delayMs,
        visible: true,
      })),
      host: readings('host').map(({ timeMs, delayMs }) => ({
        timeMs,
        cores: 2,
        busyRatio: 1,
        stealRatio: 0,
        wakeUpDelayMaxMs: delayMs,
        harnessDelayMaxMs: 1,
      })),
    },
    {
      phases: { ...trialFile().phases!, windowEndMs: endMs, endMs: endMs + 500 },
      clocks: {
        server: { offsetMs: serverBehindMs, uncertaintyMs: 0.1 },
        page: { offsetMs: 0, uncertaintyMs: 0.1 },
      },
      condition: {
        ...condition,
        link: {
          ...plainLink(rateBps, { unit: 'packets', value: 1000 }, ['service', 'flood']),
          schedule: planned,
          loss: { kind: 'independent', ratio: 0.01, where: lossPlace },
        },
      },
    },
  );
}
