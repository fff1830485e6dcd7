/**
 * Parameters of services, AQMs and tunnels in words: "maxBitrate 8 Mbit/s, pacerLimit 300 ms". Names are those of a
 * definition.
 */
import { formats, type QuantityKind } from '../core/text/units.ts';
import { plainValue } from '../core/vocabulary/varied.ts';

/** What the parameters of a plug-in count, by name. Counts and pixels are plain numbers and are not in it. */
type Kinds = Readonly<Record<string, QuantityKind>>;

/** By the id of the plug-in. A plan holds numbers: the schemas of the plug-ins tell what these count. */
export type ParameterKinds = Readonly<Record<'services' | 'aqms' | 'tunnels', Readonly<Record<string, Kinds>>>>;

/** Those that only say what is recorded, or that have a line of their own in a report. */
const leftOut = ['clip', 'controller', 'port', 'record', 'telemetry', 'pictureQuality', 'qlog'];

function valueWords(value: unknown, kind: QuantityKind | undefined): string {
  if (typeof value === 'number' && kind !== undefined) return formats[kind](value);
  return plainValue(value);
}

/** Empty where there is none. `kinds` is not there for a plug-in that Coexist no longer has. */
export function paramsInWords(params: unknown, kinds: Kinds = {}): string {
  return Object.entries((params ?? {}) as Record<string, unknown>)
    .filter(([name, value]) => value !== null && value !== undefined && !leftOut.includes(name))
    .map(([name, value]) => `${name} ${valueWords(value, Object.hasOwn(kinds, name) ? kinds[name] : undefined)}`)
    .join(', ');
}
