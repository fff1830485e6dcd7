/**
 * Formats parameters of services, AQMs and tunnels: "maxBitrate 8 Mbit/s, pacerLimit 300 ms". Names are those of a
 * definition.
 */
import { formats, type QuantityKind } from '../core/text/units.ts';
import { plainValue } from '../core/vocabulary/varied.ts';

/** Kind of quantity of each parameter of a plug-in, by name. Counts and pixels are plain numbers and have no entry. */
type Kinds = Readonly<Record<string, QuantityKind>>;

/** Kinds by the id of the plug-in. A plan holds plain numbers; the schemas of the plug-ins give their units. */
export type ParameterKinds = Readonly<Record<'services' | 'aqms' | 'tunnels', Readonly<Record<string, Kinds>>>>;

/** Parameters left out: they only choose what is recorded, or a report shows them in a separate line. */
const leftOut = ['clip', 'controller', 'port', 'record', 'telemetry', 'pictureQuality', 'qlog'];

function valueWords(value: unknown, kind: QuantityKind | undefined): string {
  if (typeof value === 'number' && kind !== undefined) return formats[kind](value);
  return plainValue(value);
}

/** Empty if there are no parameters. `kinds` is undefined for a plug-in that Coexist no longer has. */
export function paramsInWords(params: unknown, kinds: Kinds = {}): string {
  return Object.entries((params ?? {}) as Record<string, unknown>)
    .filter(([name, value]) => value !== null && value !== undefined && !leftOut.includes(name))
    .map(([name, value]) => `${name} ${valueWords(value, Object.hasOwn(kinds, name) ? kinds[name] : undefined)}`)
    .join(', ');
}
