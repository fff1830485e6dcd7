/**
 * Formats parameters of services, AQMs and tunnels: "maxBitrate 8 Mbit/s, pacerLimit 300 ms". Names are the same as in
 * a definition.
 */
import { formats, type QuantityKind } from '../core/text/units.ts';
import { plainValue } from '../core/vocabulary/varied.ts';

/**
 * Kind of quantity of each parameter of one plug-in, by name. Parameters that are plain numbers, such as counts and
 * pixels, have no entry.
 */
type Kinds = Readonly<Record<string, QuantityKind>>;

/**
 * Kinds of quantity by id of the plug-in. A plan contains plain numbers, so their units come from the schemas of the
 * plug-ins.
 */
export type ParameterKinds = Readonly<Record<'services' | 'aqms' | 'tunnels', Readonly<Record<string, Kinds>>>>;

/** Parameters that are not listed: they only choose what is recorded, or the report shows them elsewhere. */
const leftOut = ['clip', 'controller', 'port', 'record', 'telemetry', 'pictureQuality', 'qlog'];

function valueWords(value: unknown, kind: QuantityKind | undefined): string {
  if (typeof value === 'number' && kind !== undefined) return formats[kind](value);
  return plainValue(value);
}

/** One object of a list: "after 40 s, rate 1.5 Mbit/s". */
const entryWords = (name: string, entry: object, kinds: Kinds) =>
  Object.entries(entry)
    .map(([inner, one]) => `${inner} ${valueWords(one, kinds[`${name}[].${inner}`])}`)
    .join(', ');

const isList = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every(entry => typeof entry === 'object' && entry !== null);

/**
 * Formats the parameters of a plug-in. Empty if there are none. `kinds` is empty for a plug-in that this version does
 * not have.
 */
export function paramsInWords(params: unknown, kinds: Kinds = {}): string {
  return Object.entries((params ?? {}) as Record<string, unknown>)
    .filter(([name, value]) => value !== null && value !== undefined && !leftOut.includes(name))
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .flatMap(([name, value]): [string, unknown][] =>
      typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value!).map(([inner, one]) => [`${name}.${inner}`, one])
        : [[name, value]],
    )
    .map(([name, value]) =>
      isList(value)
        ? `${name} (${value.map(entry => entryWords(name, entry, kinds)).join('; ')})`
        : `${name} ${valueWords(value, Object.hasOwn(kinds, name) ? kinds[name] : undefined)}`,
    )
    .join(', ');
}
