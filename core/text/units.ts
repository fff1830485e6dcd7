/**
 * Converts quantities between text ("40mbit", "200ms", "2%") and the numbers that the code computes with.
 *
 * Definitions and `--set` hold quantities as text, so that units are explicit. All code behind the schema uses plain
 * numbers whose names end in the unit (`rateBps`, `windowMs`, `lossRatio`). Rates are BITS per second with decimal
 * prefixes, as in tc and the papers.
 */
import { formatFrameRate } from './frame-rate.ts';

export type RateText = `${number}bit` | `${number}kbit` | `${number}mbit` | `${number}gbit`;
export type DurationText = `${number}us` | `${number}ms` | `${number}s` | `${number}min`;
export type RatioText = `${number}%`;
export type SizeText = `${number}bytes` | `${number}kB` | `${number}MB`;
/**
 * Queue limit as text: a number of packets, a number of bytes as the link counts them, the time in which the link
 * drains the queue, or a multiple of the bandwidth-delay product.
 */
export type QueueLimitText =
  | `${number}packets`
  | `${number}bytes`
  | `${number}kB`
  | `${number}MB`
  | DurationText
  | `${number}bdp`;

/**
 * A queue limit as a number with its unit. `bdp`: multiples of the bandwidth-delay product, which is rate times base
 * round-trip time.
 */
export type QueueLimit = { unit: 'packets' | 'bytes' | 'ms' | 'bdp'; value: number };

const rateUnits: Record<string, number> = { bit: 1, kbit: 1e3, mbit: 1e6, gbit: 1e9 };
const durationUnits: Record<string, number> = { us: 1e-3, ms: 1, s: 1e3, min: 60e3 };
const sizeUnits: Record<string, number> = { bytes: 1, kB: 1e3, MB: 1e6 };

/**
 * Largest number that may be written in a text. A unit multiplies it by up to 1e9, and the product must stay finite.
 */
const mostWritten = 1e299;

/**
 * Splits "40mbit" into 40 and "mbit". The unit is empty if the text has none. Undefined if the text does not begin with
 * a number.
 */
function split(text: string): { value: number; unit: string } | undefined {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-zA-Z%]*)$/.exec(text.trim());
  if (!match) return undefined;
  const value = Number(match[1]);
  return Math.abs(value) < mostWritten ? { value, unit: match[2] ?? '' } : undefined;
}

function scaled(text: string, units: Record<string, number>): number | undefined {
  const parts = split(text);
  const factor = parts && Object.hasOwn(units, parts.unit) ? units[parts.unit] : undefined;
  return parts === undefined || factor === undefined ? undefined : parts.value * factor;
}

/** Parses "40mbit" as 40e6 bit/s. Undefined if the text is not a rate. A minus sign is accepted. */
export function parseRateBps(text: string): number | undefined {
  return scaled(text, rateUnits);
}

/** Parses "200ms" as 200 ms. Undefined if the text is not a duration. */
export function parseDurationMs(text: string): number | undefined {
  return scaled(text, durationUnits);
}

/** Parses "2%" as 0.02. Undefined if the text is not a percentage. */
export function parseRatio(text: string): number | undefined {
  const parts = split(text);
  return parts?.unit === '%' ? parts.value / 100 : undefined;
}

/** Parses "64kB" as 64000 bytes. Undefined if the text is not a size. */
export function parseSizeBytes(text: string): number | undefined {
  return scaled(text, sizeUnits);
}

/** Parses "1000packets", "1500000bytes", "1.5MB", "300ms", "1s" or "2bdp". Undefined for any other text. */
export function parseQueueLimit(text: string): QueueLimit | undefined {
  const parts = split(text);
  if (!parts) return undefined;
  if (parts.unit === 'packets' || parts.unit === 'packet') return { unit: 'packets', value: parts.value };
  if (parts.unit.toLowerCase() === 'bdp') return { unit: 'bdp', value: parts.value };
  const ms = parseDurationMs(text);
  if (ms !== undefined) return { unit: 'ms', value: ms };
  const bytes = parseSizeBytes(text);
  return bytes === undefined ? undefined : { unit: 'bytes', value: bytes };
}

/** Returns a rate in bit/s as text: "40 Mbit/s" for 40e6, "1.04 Mbit/s" for 1_040_000, "300 kbit/s" for 300e3. */
export function formatRate(bps: number): string {
  const [factor, unit] =
    Math.abs(bps) >= 1e9
      ? [1e9, 'Gbit/s']
      : Math.abs(bps) >= 1e6
        ? [1e6, 'Mbit/s']
        : Math.abs(bps) >= 1e3
          ? [1e3, 'kbit/s']
          : [1, 'bit/s'];
  return `${trimmed(bps / factor)} ${unit}`;
}

/** Returns a duration in ms as text: "200 ms" for 200, "40 s" for 40000, "2.5 min" for 150000. */
export function formatDuration(ms: number): string {
  if (Math.abs(ms) < 1000) return `${trimmed(ms)} ms`;
  if (Math.abs(ms) < 120e3) return `${trimmed(ms / 1e3)} s`;
  return `${trimmed(ms / 60e3)} min`;
}

/** Returns a size in bytes as text: "64 kB" for 64000, "1.5 MB" for 1_500_000. */
export function formatSize(bytes: number): string {
  const [factor, unit] = Math.abs(bytes) >= 1e6 ? [1e6, 'MB'] : Math.abs(bytes) >= 1e3 ? [1e3, 'kB'] : [1, 'bytes'];
  return `${trimmed(bytes / factor)} ${unit}`;
}

/** Returns a ratio as text: "2 %" for 0.02. */
export function formatRatio(ratio: number): string {
  return `${trimmed(ratio * 100)} %`;
}

/** Kinds of quantities. Their numbers are in bit/s, ms, bytes, ratios (0.02 for 2 %), and frames per second. */
export type QuantityKind = 'rate' | 'duration' | 'size' | 'percentage' | 'frame rate';

export const formats: Record<QuantityKind, (value: number) => string> = {
  rate: formatRate,
  duration: formatDuration,
  size: formatSize,
  percentage: formatRatio,
  'frame rate': formatFrameRate,
};

/** Returns a number as text with three significant digits, without trailing zeros and without an exponent. */
export function trimmed(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(digits, 6));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Formats a ratio with up to four digits: "95 %", "99.99 %". */
export const percent = (confidence: number) => `${Number((100 * confidence).toPrecision(4))} %`;
