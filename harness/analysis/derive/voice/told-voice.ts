/**
 * Quality of received voices by what the listener's browser counts, for services whose voice is not known, such as a
 * live site's: concealed share and interruptions.
 */
import type { Window } from '../../../record/trial-record.ts';
import { pauseMs } from '../freezes.ts';
import { InterruptionMeter } from './interruption-meter.ts';

/** Counters of a received stream of audio (W3C webrtc-stats, RTCInboundRtpStreamStats). */
export type VoiceReading = {
  timeMs: number;
  packetsReceived: number;
  totalSamplesReceived: number;
  concealedSamples: number;
  concealmentEvents: number;
};

type Growth = Omit<VoiceReading, 'timeMs'> & { tookMs: number };

/** Share of the received samples that were concealed, and interruptions a minute; null if no voice was received. */
type ToldVoice = { concealedRatio: number | null; interruptionsPerMinute: number | null };

/**
 * Returns the quality over all streams in the window. Times in which a stream received no packets for more than five
 * seconds count as pauses: the browser counts them as concealed, and cannot tell them from an outage.
 */
export function toldVoice(streams: readonly (readonly VoiceReading[])[], window: Window): ToldVoice {
  const sum = { samples: 0, concealed: 0, interruptions: 0, ms: 0 };
  for (const readings of streams) {
    const meter = new InterruptionMeter();
    const told = { concealedSamples: 0, concealmentEvents: 0 };
    meter.add(told);
    for (const growth of heardOf(readings.filter(({ timeMs }) => timeMs >= window.startMs && timeMs <= window.endMs))) {
      sum.samples += growth.totalSamplesReceived;
      sum.concealed += growth.concealedSamples;
      sum.ms += growth.tookMs;
      told.concealedSamples += growth.concealedSamples;
      told.concealmentEvents += growth.concealmentEvents;
      meter.add(told);
    }
    sum.interruptions += meter.read()!.count;
  }
  return {
    concealedRatio: sum.samples === 0 ? null : sum.concealed / sum.samples,
    interruptionsPerMinute: sum.ms === 0 ? null : (sum.interruptions * 60_000) / sum.ms,
  };
}

/** Returns the growth between consecutive readings of a stream, without its pauses. */
function heardOf(readings: readonly VoiceReading[]): Growth[] {
  const growths = readings.slice(1).map((reading, i): Growth => {
    const before = readings[i]!;
    const of = (name: keyof VoiceReading) => Math.max(0, reading[name] - before[name]);
    return {
      tookMs: of('timeMs'),
      packetsReceived: of('packetsReceived'),
      totalSamplesReceived: of('totalSamplesReceived'),
      concealedSamples: of('concealedSamples'),
      concealmentEvents: of('concealmentEvents'),
    };
  });
  const heard: Growth[] = [];
  let silent: Growth[] = [];
  const endSilence = () => {
    if (silent.reduce((total, { tookMs }) => total + tookMs, 0) <= pauseMs) heard.push(...silent);
    silent = [];
  };
  for (const growth of growths) {
    if (growth.packetsReceived === 0) {
      silent.push(growth);
      continue;
    }
    endSilence();
    heard.push(growth);
  }
  endSilence();
  return heard.some(({ packetsReceived }) => packetsReceived > 0) ? heard : [];
}
