/** Links with a managed queue, and their preflight results. */
import { type Bottleneck, type Direction, type Link, plainLink } from '../../../../../core/vocabulary/link.ts';
import { formatReading } from '../../../../../shaper/calibrate/format.ts';
import type { PreflightResult } from '../../../../../shaper/calibrate/preflight.ts';
import { aqms } from './virtual-link.ts';

/** Disciplines that the emulator supports. */
export const emulated = [...aqms.keys()].filter(id => aqms.get(id)!.bind({}, id).emulated !== null);

/** A discipline with parameters, as in a definition. */
export function managedBy(id: string, params: Record<string, unknown> = {}): Bottleneck['aqm'] {
  const plugin = aqms.get(id)!;
  return { id, title: plugin.title, params: plugin.params.parse(params) };
}

/** A link with that discipline and rate in one direction, and a plain FIFO of 20 Mbit/s in the other. */
export function managedLink(id: string, rateBps: number, direction: Direction, change: Partial<Bottleneck> = {}): Link {
  const plain = plainLink(20e6, { unit: 'packets', value: 100 });
  const { queue, loss, schedule, trace, aqm } = plain;
  const fifo: Bottleneck = { rateBps: 20e6, queue, aqm, ecn: false, loss, schedule, trace };
  const managed: Bottleneck = {
    ...fifo,
    rateBps,
    queue: { unit: 'packets', value: 1000 },
    aqm: managedBy(id),
    // only if the discipline requires it
    ecn: aqms.get(id)!.bind({}, id).refuse({ unit: 'packets', packets: 1000, bytes: 1_514_000, ecn: false }) !== null,
    ...change,
  };
  return direction === 'down' ? { ...plain, ...managed, up: fifo } : { ...plain, ...fifo, up: managed };
}

/** All readings, one line each. */
export const told = ({ readings }: PreflightResult) =>
  readings.map(one => `${one.verdict}: ${formatReading(one)}`).join('\n');

/** Readings that make a trial void. */
export const failures = ({ readings }: PreflightResult) =>
  readings.filter(({ verdict }) => verdict === 'refused' || verdict === 'repeat').map(formatReading);
