/** Readings as text: one line for each reading, or one line for all readings. */
import { counted } from '../../core/text/counted.ts';
import { gravest, isGraver, type Reading, type ReadingUnit } from './readings.ts';

const inUnit: Readonly<Record<ReadingUnit, (value: number) => string>> = {
  ms: value => `${value.toFixed(3)} ms`,
  bps: value => (value < 1e6 ? `${(value / 1e3).toFixed(3)} kbit/s` : `${(value / 1e6).toFixed(3)} Mbit/s`),
  packets: value => `${Number.isInteger(value) ? value : value.toFixed(2)} packet${value === 1 ? '' : 's'}`,
  ratio: value => `${(value * 100).toFixed(3)} %`,
};

const measuredText = ({ unit, measured }: Reading) => (measured === null ? 'nothing measured' : inUnit[unit](measured));

/**
 * Returns a line such as "rate under an overload of 1.15: 39.998 Mbit/s, asked 40.000 Mbit/s (accepted 39.800 Mbit/s to
 * 40.200 Mbit/s)".
 */
export function formatReading(reading: Reading): string {
  const {
    title,
    unit,
    asked,
    tolerance: { low, high },
    note,
  } = reading;
  const range = low === high ? '' : ` (accepted ${inUnit[unit](low)} to ${inUnit[unit](high)})`;
  return `${title}: ${measuredText(reading)}, asked ${inUnit[unit](asked)}${range}${note === null ? '' : `; ${note}`}`;
}

/**
 * Returns a line for a link that was only measured, such as "base round trip, server to client and back: 40.1 ms; rate
 * ..."; null for other links.
 */
export function formatTold(readings: readonly Reading[]): string | null {
  const told = readings.filter(({ id, verdict }) => verdict === 'told' && (id === 'base-round-trip' || id === 'rate'));
  const line = (one: Reading) =>
    `${one.title}: ${measuredText(one)}${one.measured === null && one.note !== null ? ` (${one.note})` : ''}`;
  return told.length === 0 ? null : told.map(line).join('; ');
}

/**
 * Returns one line for all readings, for the doctor: the worst reading in full, or representative ones if all passed.
 */
export function summariseReadings(readings: readonly Reading[]): string {
  const worst = gravest(readings);
  if (isGraver(worst, 'late')) return `${worst}: ${formatReading(readings.find(({ verdict }) => verdict === worst)!)}`;
  const short = [
    ['rate', 'rate'],
    ['queue-plateau', 'full queue'],
    ['serialisation', 'a full packet takes'],
    ['line-rate-packets', 'at line rate after idle'],
    ['base-round-trip', 'base round trip'],
    ['loss-ratio', 'loss'],
    ['first-drop', 'first drop of the AQM after'],
    ['drop-share', 'dropped by the AQM under overload'],
    ['coupling', 'marked by coupling'],
    ['trace-p99', 'p99 of the error of the trace'],
  ] as const;
  const values = short.flatMap(([id, name]) =>
    readings
      .filter(one => one.id === id && one.verdict === 'ok')
      .slice(0, 1)
      .map(one => `${name} ${measuredText(one)}`),
  );
  const of = (wanted: Reading['verdict']) => readings.filter(({ verdict }) => verdict === wanted);
  const late =
    of('late').length === 0
      ? ''
      : `; in ${counted(of('late').length, 'reading')} packets were late, and none came early: ${of('late')
          .map(({ title }) => title)
          .join(', ')}`;
  const told = formatTold(readings);
  if (told !== null) return `measured, not judged: ${told}`;
  const skipped =
    of('skipped').length === 0
      ? ''
      : `; not measured: ${of('skipped')
          .map(({ title }) => title)
          .join(', ')}`;
  return `${of('ok').length} of ${readings.length} readings ok${values.length === 0 ? '' : `: ${values.join(', ')}`}${late}${skipped}`;
}
