/** The preflight of links that follow traces, in virtual time: it passes a right link and refuses a wrong one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type Link, plainLink } from '../../../core/vocabulary/link.ts';
import type { TracePlay } from '../../../core/vocabulary/link-trace.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { virtualPreflight } from '../../unit/shaper/calibrate/support/virtual-link.ts';
import { buildReplay } from '../../unit/shaper/support/replay.ts';

before(buildReplay);

const plain = plainLink(10e6, { unit: 'ms', value: 200 });
const made = (id: string, rest: Partial<TracePlay> = {}): TracePlay => ({
  files: [],
  make: { id, seed: 5, lengthMs: 30e3 },
  startAtMs: 'seeded',
  times: 1,
  loop: true,
  ...rest,
});
const links: [name: string, link: Link][] = [
  ...['lte', 'leo', 'wifi', 'dsl', 'cable', '5g-mid-band', '5g-mmwave'].map((id): [string, Link] => [
    id,
    { ...plain, trace: made(id, { times: id === 'lte' ? 1 : 0.1 }) },
  ]),
  ['lte up', { ...plain, up: { ...plain, trace: made('lte') } }],
];

for (const [name, link] of links)
  test(`${name}: a link that follows its trace passes`, async () => {
    const result = await virtualPreflight(link, name.endsWith('up') ? 'up' : 'down');
    assert.equal(result.status, 'passed', JSON.stringify(result.findings));
    const of = (id: string) => result.readings.find(one => one.id === id)!;
    assert.ok(of('trace-p99').measured! <= 0.3, `p99 ${of('trace-p99').measured} ms`);
    assert.equal(of('trace-rate').verdict, 'ok');
  });

test('opportunities of mahimahi pass, and a loss in bursts by a table', async () => {
  const folder = temporaryFolder();
  const [cell, loss] = [join(folder, 'cell.trace'), join(folder, 'loss.csv')];
  // 12 Mbit/s, with a pause of 50 ms in every 500 ms
  writeFileSync(
    cell,
    Array.from({ length: 500 }, (_, k) => k + 1)
      .filter(ms => ms < 300 || ms > 350)
      .join('\n'),
  );
  writeFileSync(loss, 'time_s,loss_percent,burst_packets\n0,0,1\n1,4,3\n5,,\n');
  const trace: TracePlay = { files: [cell, loss], make: null, startAtMs: 0, times: 1, loop: true };
  const result = await virtualPreflight({ ...plain, trace }, 'down');
  assert.equal(result.status, 'passed', JSON.stringify(result.findings));
  const pause = result.readings.find(({ id }) => id === 'trace-pause')!;
  assert.ok(pause.measured! <= 2 && pause.note !== '0 pauses');
  const lost = result.readings.find(({ id }) => id === 'trace-loss')!;
  assert.ok(lost.asked > 0.02 && lost.measured! > 0.01);
});

const wrong: [what: string, (link: Link) => Link][] = [
  ['no trace', link => ({ ...link, trace: null })],
  [
    'another seed of the generator',
    link => ({ ...link, trace: made('lte', { make: { id: 'lte', seed: 6, lengthMs: 30e3 } }) }),
  ],
  ['another start', link => ({ ...link, trace: made('lte', { startAtMs: 3000 }) })],
  ['97 % of its rate', link => ({ ...link, trace: made('lte', { times: 0.97 }) })],
];
for (const [what, change] of wrong)
  test(`a link with ${what} is refused`, async () => {
    const link = { ...plain, trace: made('lte') };
    const result = await virtualPreflight(link, 'down', { spoil: one => (one.trace === null ? one : change(one)) });
    assert.equal(result.status, 'refused');
    assert.ok(result.findings.every(({ message }) => /departures|stretches|pause/.test(message)));
  });
