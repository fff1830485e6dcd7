/**
 * Parameters of services and AQMs in words: "maxBitrate 8 Mbit/s, pacerLimit 300 ms". Names are those of a definition.
 */
import { formatDuration, formatRate, formatRatio, formatSize } from '../core/units.ts';

/** A plan holds numbers; what they count goes by the parameter. Counts and pixels are plain numbers. */
const units: readonly [format: (value: number) => string, names: readonly string[]][] = [
  [formatRate, ['maxBitrate', 'startBitrate', 'minBitrate', 'topRate', 'cap', 'rate']],
  [
    formatDuration,
    ['clipLength', 'pacerLimit', 'settle', 'buffer', 'patience', 'stagger', 'gap', 'visit', 'warmUp'].concat(
      ['target', 'interval', 'update', 'step', 'rtt'], // of AQMs
    ),
  ],
  [formatRatio, ['protection']],
  [formatSize, ['bytes', 'chunkBytes', 'packetBytes', 'quantum']],
];

/** Those that only say what is recorded, or that have a line of their own in a report. */
const leftOut = ['clip', 'controller', 'port', 'record', 'telemetry', 'pictureQuality'];

function valueWords(name: string, value: unknown): string {
  const format = units.find(([, names]) => names.includes(name))?.[0];
  if (typeof value === 'number') return format === undefined ? String(value) : format(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Empty where there is none. */
export function parameterWords(params: unknown): string {
  return Object.entries((params ?? {}) as Record<string, unknown>)
    .filter(([name, value]) => value !== null && value !== undefined && !leftOut.includes(name))
    .map(([name, value]) => `${name} ${valueWords(name, value)}`)
    .join(', ');
}
