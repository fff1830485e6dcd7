/** Fields of a line in a controller's trace: those that the media server adds, and those of the controllers. */

import type { z } from '../../core/schema/schema.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { bps, bytes, count, type Field, fieldsOf, ms, packets, ratio, text } from '../record/schema/fields.ts';
import { controllerSeries } from '../record/series/controller.ts';

/** Schema of a field by the ending of its name, as for `traceFields` of the port. */
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

/**
 * Returns the fields of all controllers. If controllers describe the same name differently, the descriptions are listed
 * with the ids of the controllers.
 */
export function controllerFields(
  controllers: Iterable<Pick<ControllerPlugin, 'id' | 'traceFields'>>,
): Record<string, Field> {
  /** Ids of the controllers that describe a field, by the name of the field and by the description. */
  const said = new Map<string, Map<string, string[]>>();
  for (const { id, traceFields } of controllers) {
    for (const [name, about] of Object.entries(traceFields)) {
      const abouts = said.get(name) ?? new Map<string, string[]>();
      said.set(name, abouts.set(about, [...(abouts.get(about) ?? []), id]));
    }
  }
  // the description by a controller comes before the media server's description of the same name
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
