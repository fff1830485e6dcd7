/**
 * Checks random loss with small packets: the number of lost packets, and whether exactly the packets that the seed
 * predicts are lost.
 */
import { binomialInterval } from '../../core/stats/binomial-interval.ts';
import { udpProtocol } from '../../core/vocabulary/udp.ts';
import type { Arrival } from './arrivals.ts';
import type { PreflightCounters, PreflightPath } from './link.ts';
import { type Reading, reading, skipped } from './readings.ts';

const confidence = 0.99;

export type LossObservation = {
  path: PreflightPath;
  /** IPv4 addresses of both ends of the path. */
  source: string;
  destination: string;
  sent: number;
  arrivals: readonly Arrival[];
  kernelDropped: number;
  counters: PreflightCounters;
};

/** Returns the sequence numbers from 0 to `sent` - 1 that did not arrive. */
export function lostSequences(sent: number, arrivals: readonly Pick<Arrival, 'sequence'>[]): number[] {
  const arrived = new Set(arrivals.map(({ sequence }) => sequence));
  return Array.from({ length: sent }, (_, k) => k).filter(k => !arrived.has(k));
}

export function lossReadings(observed: readonly LossObservation[]): Reading[] {
  return observed.flatMap(one => {
    const lost = lostSequences(one.sent, one.arrivals);
    const readings = [
      ...ratioReadings(one, lost.length),
      ...listReadings(one, lost),
      ...countReadings(one, lost.length),
    ];
    const elsewhere =
      one.counters.droppedPackets > 0
        ? `the queue dropped ${one.counters.droppedPackets} packets`
        : one.kernelDropped > 0
          ? `the receiver missed ${one.kernelDropped} packets`
          : null;
    // other losses cannot be separated from random loss
    return readings.map(r =>
      r.verdict === 'refused' && !r.certain && elsewhere !== null
        ? { ...r, verdict: 'repeat' as const, note: elsewhere }
        : r,
    );
  });
}

const name = ({ path }: LossObservation) => `${path.from} to ${path.to}`;

function ratioReadings(observed: LossObservation, lost: number): Reading[] {
  const {
    sent,
    path: { loss },
  } = observed;
  const asked = loss?.lossRatio ?? 0;
  const interval = binomialInterval(sent, asked, confidence);
  const question = {
    id: 'loss-ratio',
    step: 'loss',
    title: `share of packets lost, ${name(observed)}`,
    unit: 'ratio',
    asked,
    low: interval.low / sent,
    high: interval.high / sent,
  } as const;
  const ofSent = `${lost} of ${sent}`;
  if (loss !== null && !loss.independent)
    return [skipped(question, `${ofSent}; losses in bursts have no binomial interval`)];
  const read = reading(question, lost / sent, ofSent);
  // one seed in a hundred is outside the interval; if the seed's list of losses is known, it decides
  if (read.verdict === 'refused' && loss?.predicted?.(sent).length === lost)
    return [{ ...read, verdict: 'ok', note: `${ofSent}; outside the 99 % interval, as this seed foretells` }];
  return [read];
}

/** Returns a reading of the packets that differ from the prediction, lost or arrived. None may differ. */
function listReadings(observed: LossObservation, lost: readonly number[]): Reading[] {
  const {
    sent,
    path: { loss },
  } = observed;
  const question = {
    id: 'loss-list',
    step: 'loss',
    title: `packets with another fate than the seed foretells, ${name(observed)}`,
    unit: 'packets',
    asked: 0,
    low: 0,
    high: 0,
  } as const;
  if (loss !== null && loss.predicted === null) return [skipped(question, 'this backend cannot foretell losses')];
  const predicted = new Set(loss?.predicted?.(sent) ?? []);
  const really = new Set(lost);
  const survivors = [...predicted].filter(k => !really.has(k));
  const differing = [...lost.filter(k => !predicted.has(k)), ...survivors].sort((a, b) => a - b);
  const first = differing[0];
  const note =
    first === undefined
      ? `${lost.length} lost, each foretold`
      : `the first is packet ${first}, ${really.has(first) ? 'lost' : 'not lost'}`;
  // on a busy machine a packet can be lost in many ways, but a packet that should be lost can never arrive
  return [{ ...reading(question, differing.length, note), certain: survivors.length > 0 }];
}

/** Returns readings that compare the backend's loss counters for this sender with the packets sent and lost. */
function countReadings(observed: LossObservation, lost: number): Reading[] {
  const { counters, source, destination, path } = observed;
  if (path.loss === null) return [];
  const flow = counters.loss.find(
    one => one.source === source && one.destination === destination && one.protocol === udpProtocol,
  );
  const question = {
    id: 'loss-count',
    step: 'loss',
    title: `losses that the link counted, ${name(observed)}`,
    unit: 'packets',
    asked: lost,
    low: lost,
    high: lost,
  } as const;
  if (path.loss.predicted === null) return [skipped(question, 'this backend does not count the losses of a sender')];
  return [
    reading(
      question,
      flow?.lostPackets ?? null,
      flow === undefined ? 'the link knows nothing of this sender' : `of ${flow.packets} packets`,
    ),
  ];
}
