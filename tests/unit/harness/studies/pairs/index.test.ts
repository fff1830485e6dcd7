import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceOf } from '../../../../../harness/services/bound-service.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { pairsPlanOf as planOf } from './support/plan-of.ts';
import { greedy, services } from './support/study.ts';

const folder = temporaryFolder();
const file = (name: string) => {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ name, service: { id: 'greedy' } }));
  return path;
};
const two = `${file('one')},${file('two')}`;

test('two services on two links, until their medians are known', async () => {
  const { cells, run, links } = await planOf({ services: two, link: '8mbit,50mbit' }, { services });
  assert.deepEqual(
    [cells.length, links.map(({ id }) => id), run.stopping, run.repeats, run.windowMs],
    [10, ['8mbit', '50mbit'], 'sequential', 30, 60_000],
  );
});

test('--repeats takes so many of each pair; a link that is named twice is one', async () => {
  const { run, links } = await planOf({ services: two, link: '8mbit, 8mbit', repeats: '3' }, { services });
  assert.deepEqual([run.stopping, run.repeats, links.length], ['fixed', 3, 1]);
});

test('--quick is one trial of each, with the longest window that leaves time for some to be run again; a window that is set stays', async () => {
  const quick = await planOf({ services: two, quick: true }, { services });
  assert.deepEqual(
    [quick.run.repeats, quick.run.soloRepeats, quick.links.map(({ id }) => id), quick.run.windowMs],
    [1, 1, ['8mbit'], 40_000],
  );
  assert.equal((await planOf({ services: two, quick: true, set: ['run.window=9s'] }, { services })).run.windowMs, 9000);
});

test('--set changes what is run, and says where a path leads nowhere', async () => {
  const { run } = await planOf(
    { services: two, set: ['run.window=6min', 'run.warmUp=2min', 'run.stopping=prudentia', 'run.queueLog=full'] },
    { services },
  );
  assert.deepEqual([run.windowMs, run.warmUpMs, run.stopping, run.queueLog], [360_000, 120_000, 'prudentia', 'full']);
  await assert.rejects(planOf({ services: two, set: ['run.stoping=fixed'] }, { services }), {
    message: /^services: run: unknown key "stoping"; did you mean "stopping"/,
  });
  await assert.rejects(planOf({ services: two, set: ['link.rate=9mbit'] }, { services }), { code: 'bad-definition' });
  await assert.rejects(planOf({ services: two, set: ['run.externalLoss=101%'] }, { services }), {
    message: /externalLoss: "101%" is out of range/,
  });
});

test('where a contestant comes from the Internet, the kernel forms every link', async () => {
  const outside = new Map([
    ...services,
    ['greedy', serviceOf({ ...greedy, outside: () => ({ host: 'www.example.org', port: 443 }) })],
  ]);
  const backendsOf = async (plugins: typeof services, ...set: string[]) => {
    const { links } = await planOf({ services: two, link: '8mbit,50mbit', set }, { services: plugins });
    return links.map(({ link }) => link.backend);
  };
  assert.deepEqual(await backendsOf(services), ['auto', 'auto']);
  assert.deepEqual(await backendsOf(outside), ['tc', 'tc']);
  assert.deepEqual(await backendsOf(services, 'run.backend=tc+line'), ['tc+line', 'tc+line'], 'or as it is asked for');
});

test('--findings has services and links of its own, and runs only what the claims compare', async () => {
  const { services: shipped } = await loadRegistries();
  const { cells, links, contestants } = await planOf({ findings: true }, { services: shipped });
  assert.deepEqual(
    links.map(({ id }) => id),
    ['8mbit', '8mbit-deep', '50mbit', '50mbit-deep'],
  );
  assert.ok(cells.length > 10 && cells.length < contestants.length ** 2 / 4, String(cells.length));
  assert.deepEqual(
    (await planOf({ findings: true, link: '50mbit' }, { services: shipped })).links.map(({ id }) => id),
    ['50mbit', '50mbit-deep'],
  );
  for (const more of [{ quick: true }, { services: 'iperf-bbr' }])
    await assert.rejects(planOf({ findings: true, ...more }, { services: shipped }), {
      code: 'usage',
      message: /^--findings has services of its own/,
    });
});

test('no link is refused', async () =>
  await assert.rejects(planOf({ services: two, link: ' , ' }, { services }), { message: '--link names no link' }));
