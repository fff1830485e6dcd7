/** What a line of a controller's trace holds: what the media server adds, and what the controllers say of themselves. */
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { bps, bytes, count, type Field, ms, packets, ratio, text, time } from './field.ts';

/** In every line; where a controller traces the same name, its own value stands. */
const serverFields: Readonly<Record<string, Field>> = {
  timeMs: time('when the feedback came, or 100 ms after the last line'),
  inFlightBytes: bytes('sent and not yet told of; not there where the receiver tells of no packets (remb)'),
  ackedBps: bps('rate at which packets arrived by the feedback of the last second; not there before the first'),
  minRttMs: ms('shortest round trip of packet and feedback in the last 10 s; not there before the first'),
};

/** Field by the end of its name, as `traceFields` of the port has it. */
const byEnding: Readonly<Record<string, (about: string) => Field>> = {
  Bps: bps,
  Ms: ms,
  Bytes: bytes,
  Packets: packets,
  Ratio: ratio,
  Gain: count,
  Count: count,
};

function fieldOf(name: string, about: string): Field {
  const ending = Object.keys(byEnding).find(one => name.endsWith(one));
  if (ending !== undefined) return byEnding[ending]!(about);
  return /^(is|in)[A-Z]/.test(name) ? count(about) : text(about);
}

/** Controllers that say different things of one name are told apart by their ids. */
export function controllerFields(
  controllers: Iterable<Pick<ControllerPlugin, 'id' | 'traceFields'>>,
): Record<string, Field> {
  /** Name -> what is said of it -> who says so. */
  const said = new Map<string, Map<string, string[]>>();
  for (const { id, traceFields } of controllers) {
    for (const [name, about] of Object.entries(traceFields)) {
      const abouts = said.get(name) ?? new Map<string, string[]>();
      said.set(name, abouts.set(about, [...(abouts.get(about) ?? []), id]));
    }
  }
  const fields: Record<string, Field> = { ...serverFields };
  for (const [name, abouts] of said) {
    const own = Object.hasOwn(serverFields, name) ? serverFields[name]! : undefined;
    const words = [...abouts].map(([about, ids]) =>
      abouts.size === 1 && own === undefined ? about : `${about} (${ids.join(', ')})`,
    );
    fields[name] = fieldOf(name, [...words, ...(own === undefined ? [] : [`else ${own.about}`])].join('; '));
  }
  return fields;
}
