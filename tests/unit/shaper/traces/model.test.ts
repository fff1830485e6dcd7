import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { type Link, plainLink } from '../../../../core/vocabulary/link.ts';
import { withTraceFiles } from '../../../../shaper/backend/trace-file.ts';
import { emulatorConfiguration } from '../../../../shaper/emulator/configuration.ts';
import { type LoadedTrace, traceKey } from '../../../../shaper/traces/load.ts';
import { departuresMs } from '../../../../shaper/traces/model.ts';
import { parseTrace } from '../../../../shaper/traces/opportunities.ts';
import { type TableRow, tableOf } from '../../../../shaper/traces/table.ts';
import { buildReplay, replay } from '../support/replay.ts';

before(buildReplay);

/** Largest difference of the emulator from the model, ms: the emulator's times are whole ns, one for each packet. */
const mostMs = 0.002;
const left = [{ host: { name: 'server' }, address: '10.0.1.2' }] as never;

/** Sends 3000 packets of random sizes over the emulator in virtual time, and compares each with the model. */
async function agree(loaded: LoadedTrace, play: { startAtMs?: number; times?: number; loop?: boolean } = {}) {
  const { startAtMs = 0, times = 1, loop = true } = play;
  const trace = { files: ['x'], make: null, startAtMs, times, loop };
  const plain = plainLink(8e6, { unit: 'packets', value: 30_000 }, ['server']);
  const paths = { server: { ...plain.paths['server']!, downMs: 7 } };
  const link: Link = { ...plain, bytes: 'ip', trace, paths };
  const random = seededRandom(3);
  let atMs = 1;
  const packets = Array.from({ length: 3000 }, () => {
    // bursts and pauses
    atMs += random.next() < 0.02 ? 40 * random.next() : 1.2 * random.next();
    return { atMs: Math.round(atMs * 1e6) / 1e6, bytes: 60 + Math.floor(1440 * random.next()) };
  });
  const loadedTraces = new Map([[traceKey(trace, 'down'), loaded]]);
  await withTraceFiles(link, loadedTraces, { router: { give: async file => file }, seed: 1 }, async played => {
    const config = emulatorConfiguration(link, paths, { down: { kind: 'fifo' }, up: null }, { left, seed: 1, played });
    const { leftNs } = await replay(
      config,
      packets.map(({ atMs: at, bytes }) => ({
        timeNs: Math.round(at * 1e6),
        direction: 'down' as const,
        source: '10.0.1.2',
        destination: '10.0.2.2',
        ipBytes: bytes,
        port: 5000,
        ecn: 0,
      })),
      [],
    );
    const expected = departuresMs(loaded, { startMs: startAtMs, times, loop }, { ownBps: 8e6, delayMs: 7 }, packets);
    const worst = Math.max(...expected.map((ms, k) => Math.abs(leftNs[k]! / 1e6 - ms)));
    assert.ok(worst <= mostMs, `a packet leaves ${worst} ms beside its time`);
  });
}

const table = (rows: TableRow[], linear = false): LoadedTrace => ({
  opportunities: null,
  table: tableOf(rows, { name: 'x', linear }),
});

const radio: TableRow[] = [
  { atMs: 0, rateBps: 12e6, delayMs: 3 },
  { atMs: 100, rateBps: 2e6, delayMs: 20 },
  { atMs: 250, outage: true },
  { atMs: 310, rateBps: 9e6, delayMs: 8, outage: false },
  { atMs: 420 },
];

test('rate, delay and outages of a table, round after round', () => agree(table(radio)));
test('from the middle of a table, at half its rate', () => agree(table(radio), { startAtMs: 290, times: 0.5 }));
test('a table that is played once', () => agree(table(radio), { loop: false }));
test('a delay in straight lines', () => agree(table(radio, true)));
test('outages at the rate of the link', () =>
  agree(table([{ atMs: 0, outage: false }, { atMs: 50, outage: true }, { atMs: 75, outage: false }, { atMs: 200 }])));

const opportunities = (text: string) => parseTrace(Buffer.from(text), 'x');
const cell = opportunities([0, 1, 2, 2, 2, 5, 9, 9, 10, 11, 12, 40, 41, 41, 42, 43].join('\n'));

test('opportunities', () => agree({ opportunities: cell, table: null }));
test('opportunities from an offset, with half of their bytes', () =>
  agree({ opportunities: cell, table: null }, { startAtMs: 11, times: 0.5 }));
test('opportunities beside a table of the delay', () =>
  agree({
    ...table(radio.map(({ atMs, delayMs }) => ({ atMs, ...(delayMs === undefined ? {} : { delayMs }) }))),
    opportunities: cell,
  }));
