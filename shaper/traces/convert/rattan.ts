/**
 * Converts lists of netem-trace, which rattan plays: JSON with static rates, delays or losses and repeated patterns of
 * them, with values as text ("12Mbps", "1s") or as objects.
 */
import { z } from '../../../core/schema/schema.ts';
import type { TableRow } from '../table.ts';
import { type Converter, parsedJson } from './converter.ts';

const number = z.number();
const bandwidth = z.union([z.string(), z.object({ gbps: number, bps: number })]);
const time = z.union([z.string(), z.object({ secs: number, nanos: number })]);

/** Rounds of a pattern that is repeated for ever: one, since a table starts again by itself. */
const forever = 1;
/** Largest number of rows of all rounds together. */
const most = 1_000_000;

const bandwidthUnits: Readonly<Record<string, number>> = { bps: 1, kbps: 1e3, mbps: 1e6, gbps: 1e9 };
const timeUnits: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1e3,
  m: 60e3,
  min: 60e3,
  h: 3600e3,
};

type Refuse = (what: string) => Error;

/** Parses "1s 500ms" or "12Mbps": a sum of numbers with units. */
function quantity(text: string, units: Readonly<Record<string, number>>, refuse: Refuse): number {
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('').length !== text.trim().length)
    throw refuse(`: "${text.slice(0, 40)}" has no known unit`);
  return parts.reduce((sum, [, value, unit]) => {
    if (!Object.hasOwn(units, unit!)) throw refuse(`: "${text.slice(0, 40)}" has no known unit`);
    return sum + Number(value) * units[unit!]!;
  }, 0);
}

function bpsOf(value: unknown, refuse: Refuse): number {
  const read = bandwidth.safeParse(value);
  if (!read.success) throw refuse(': a bandwidth is neither text nor { gbps, bps }');
  return typeof read.data === 'string'
    ? quantity(read.data, bandwidthUnits, refuse)
    : read.data.gbps * 1e9 + read.data.bps;
}

function msOf(value: unknown, refuse: Refuse): number {
  const read = time.safeParse(value);
  if (!read.success) throw refuse(': a duration is neither text nor { secs, nanos }');
  return typeof read.data === 'string'
    ? quantity(read.data, timeUnits, refuse)
    : read.data.secs * 1e3 + read.data.nanos / 1e6;
}

type Piece = Omit<TableRow, 'atMs'> & { lastsMs: number };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function piecesOf(node: unknown, refuse: Refuse, depth = 0): Piece[] {
  const [name, content] = isObject(node) ? (Object.entries(node)[0] ?? []) : [];
  if (name === undefined || !isObject(content)) throw refuse(' has a part that is no model of netem-trace');
  if (depth > 16) throw refuse(' has patterns in patterns without end');
  if (/^Repeated\w+PatternConfig$/.test(name)) {
    const { pattern, count } = content;
    if (!Array.isArray(pattern)) throw refuse(`: ${name} has no pattern`);
    const round = pattern.flatMap(one => piecesOf(one, refuse, depth + 1));
    const rounds = typeof count === 'number' && count > 0 ? Math.floor(count) : forever;
    if (round.length * rounds > most) throw refuse(' has more rows than a table holds');
    return Array.from({ length: rounds }, () => round).flat();
  }
  const lastsMs = () => msOf(content['duration'], refuse);
  if (name === 'StaticBwConfig') return [{ rateBps: bpsOf(content['bw'], refuse), lastsMs: lastsMs() }];
  if (name === 'StaticDelayConfig') return [{ delayMs: msOf(content['delay'], refuse), lastsMs: lastsMs() }];
  if (name === 'StaticLossConfig') {
    const loss = content['loss'];
    const ratios = Array.isArray(loss) ? loss : [loss];
    if (ratios.length !== 1 || typeof ratios[0] !== 'number')
      throw refuse(': a loss that depends on the losses before it is not one of a table');
    return [{ lossRatio: ratios[0], lastsMs: lastsMs() }];
  }
  throw refuse(` has ${name}; only static values and repeated patterns of them become a table`);
}

export const rattan: Converter = {
  knows: text => /^\s*\{\s*"(?:Static|Repeated|Trace|Normalized|Bounded|Sawtooth)\w+"\s*:/.test(text),
  convert(text, { refuse }) {
    let atMs = 0;
    const rows: TableRow[] = piecesOf(parsedJson(text, refuse), refuse).map(({ lastsMs, ...row }) => {
      const from = atMs;
      atMs += lastsMs;
      return { atMs: from, ...row };
    });
    return {
      rows: [...rows, { atMs }],
      assumed: [
        'its values are those of the link for their whole durations',
        ...(text.includes('Loss') ? ['packets are lost behind the queue'] : []),
      ],
    };
  },
};
