/** What a line of a controller's trace holds: what the media server adds, and what the controllers say of themselves. */

import type { z } from '../../core/schema/schema.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { bps, bytes, count, type Field, fieldsOf, ms, packets, ratio, text } from '../record/schema/fields.ts';
import { controllerSeries } from '../record/series/controller.ts';

/** Field by the end of its name, as `traceFields` of the port has it. */
const byEnding: Readonly<Record<string, (about: string) => z.ZodType>> = {
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
  const field = ending === undefined ? (/^(is|in)[A-Z]/.test(name) ? count : text) : byEnding[ending]!;
  return fieldsOf({ [name]: field(about) })[name]!;
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
  // where a controller traces a name of the media server's, its own value stands
  const serverFields = controllerSeries.columns.fields;
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
