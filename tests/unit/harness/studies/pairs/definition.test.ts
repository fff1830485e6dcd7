/** A pairwise study from a definition: its services are named, described in it, or described by files in its folder. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planOf } from '../../../../../harness/cli/study-command.ts';
import { plugin } from '../../../../../harness/studies/pairs/index.ts';
import type { PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
const registries = await loadRegistries();
const planFor = async (name: string, values: object = {}) =>
  (await planOf(plugin, name, values as never, registries)) as PairsPlan;

function file(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const cubic = { id: 'iperf', congestionControl: 'cubic' };

test('services may be named, described beside the definition, or described in it', async () => {
  file('mine.json', { name: 'mine', service: cubic });
  const services = ['iperf-reno', 'mine.json', { name: 'ours', title: 'Ours', service: cubic }];
  const { contestants, links, title, run } = await planFor(
    file('three.json', { title: 'Three', services, links: ['9mbit'], run: { window: '7s' } }),
  );
  assert.deepEqual(
    [title, contestants.map(({ name }) => name), contestants[2]!.title, links[0]!.id, run.windowMs],
    ['Three', ['iperf-reno', 'mine', 'ours'], 'Ours', '9mbit', 7000],
  );
});

test('a description elsewhere is refused, unless the user names it', async () => {
  mkdirSync(join(folder, 'deep'), { recursive: true });
  const outside = file('outside.json', { name: 'outside', service: cubic });
  const inner = file('deep/inner.json', { services: ['../outside.json'], links: ['9mbit'] });
  await assert.rejects(planFor(inner), {
    code: 'bad-definition',
    message: /outside\.json is neither shipped nor beside the definition$/,
  });
  const own = file('deep/own.json', { services: ['iperf-reno'], links: ['9mbit'] });
  assert.equal((await planFor(own, { services: outside })).contestants[0]!.name, 'outside');
});

test('a script in a definition needs the same trust as one in a description', async () => {
  writeFileSync(join(folder, 'play.mjs'), '');
  const live = { name: 'live', service: { id: 'live-url', script: 'play.mjs' } };
  const path = file('live-study.json', { services: [live], links: ['9mbit'] });
  await assert.rejects(planFor(path), { code: 'bad-definition', hint: /--trust-scripts$/ });
  assert.equal((await planFor(path, { 'trust-scripts': true })).contestants[0]!.scriptSha256?.length, 64);
});

test('options change the definition, and a time for the whole study sets the window', async () => {
  const path = file('long.json', { services: ['iperf-reno'], links: ['9mbit'], title: 'One', within: '60min' });
  const plan = await planFor(path, { link: '8mbit,50mbit', repeats: '3' });
  assert.deepEqual([plan.links.length, plan.run.stopping, plan.run.repeats, plan.title], [2, 'fixed', 3, 'One']);
  assert.equal(plan.run.windowMs, 40_000, 'the longest that it sets by itself');
  assert.equal((await planFor(path, { set: ['run.window=9s'] })).run.windowMs, 9000);
  assert.equal((await planFor(path, { services: 'iperf-cubic' })).title, '1 service, pair by pair');
});

test('what does not go together is refused in one line', async () => {
  for (const [definition, message] of [
    [{ services: ['iperf-reno'] }, /no link is named$/],
    [{ links: ['8mbit'] }, /services: must be written, unless findings is true/],
    [{ services: ['iperf-reno'], findings: true }, /services: must be written, unless findings is true/],
    [{ services: [], links: ['8mbit'] }, /no service is named/],
    [{ services: ['iperf-reno'], links: ['8mbps'] }, /there is no such link$/],
  ] as const)
    await assert.rejects(planFor(file('odd.json', definition)), { message });
});
