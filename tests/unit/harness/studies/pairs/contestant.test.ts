import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { object, text } from '../../../../../core/schema/schema.ts';
import { serviceOf } from '../../../../../harness/services/bound-service.ts';
import type { ServicePlugin } from '../../../../../harness/services/service.ts';
import { resolveContestants } from '../../../../../harness/studies/pairs/contestant.ts';
import { contestants } from '../../../../../harness/studies/pairs/contestants.ts';
import quick from '../../../../../harness/studies/pairs/shipped/quick.ts';
import usual from '../../../../../harness/studies/pairs/shipped/services.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { greedy, services } from './support/study.ts';

const folder = temporaryFolder();
let files = 0;
function file(content: unknown): string {
  const path = join(folder, `${++files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test("a description of one's own is a contestant, with what its service says of itself", () => {
  const [mine] = resolveContestants(
    [file({ name: 'mine', title: 'My service', service: { id: 'greedy', flows: 2, cap: '3mbit' } })],
    services,
  );
  assert.deepEqual(mine, {
    name: 'mine',
    title: 'My service',
    models: null,
    choice: { id: 'greedy', flows: 2, cap: '3mbit' },
    service: { id: 'greedy', title: 'greedy', params: { flows: 2, cap: 3e6 } },
    kind: 'transfer',
    nominalCapBps: 3e6,
    warmUpMs: 2000,
    longestMs: null,
  });
});

test('a service with several clients is refused: a pairwise test gives each one', () => {
  const many = new Map([['greedy', serviceOf({ ...greedy, clients: () => 3 })]]);
  assert.throws(() => resolveContestants([file({ name: 'mine', service: { id: 'greedy' } })], many), {
    code: 'bad-definition',
    message: 'service mine: it has 3 clients, and a pairwise test gives each service one',
  });
});

test('a script that a description names is run only where scripts are trusted; its text is not even read before', () => {
  const plugin: ServicePlugin<{ script?: string | undefined }> = {
    ...(greedy as ServicePlugin),
    params: object({ script: text().optional() }),
    runsModule: ({ script }) => script ?? null,
  };
  const own = new Map([['greedy', serviceOf(plugin)]]);
  const path = file({ name: 'mine', service: { id: 'greedy', script: 'nowhere.mjs' } });
  assert.throws(() => resolveContestants([path], own), {
    code: 'bad-definition',
    message: `${path} has the script nowhere.mjs run, with all the rights of this command`,
    hint: /--trust-scripts$/,
  });
  assert.throws(() => resolveContestants([path], own, { trustScripts: true }), {
    code: 'bad-definition',
    message: /^the script nowhere\.mjs cannot be read: ENOENT/,
  });
  assert.equal(resolveContestants([file({ name: 'mine', service: { id: 'greedy' } })], own).length, 1);
});

describe('what is wrong is said in a line', () => {
  const bad: [title: string, content: unknown, message: RegExp][] = [
    [
      'a cap of 0',
      { name: 'mine', service: { id: 'greedy', cap: '0mbit' } },
      /^service mine: cap: "0mbit" is out of range; it must be more than 0 bit\/s$/,
    ],
    [
      'a parameter misspelt',
      { name: 'mine', service: { id: 'greedy', flow: 2 } },
      /^service mine: unknown key "flow"; did you mean "flows"/,
    ],
    [
      'no such service',
      { name: 'mine', service: { id: 'greddy' } },
      /^there is no service named "greddy"; did you mean "greedy"\?$/,
    ],
    ['no service', { name: 'mine' }, /: service is missing; write it like \{ id: "\.\.\." \}/],
    ["a name that is no folder's", { name: '../mine', service: { id: 'greedy' } }, /: name: must be small letters/],
    ['a key that nobody knows', { name: 'mine', service: { id: 'greedy' }, run: 'rm' }, /unknown key "run"/],
    ['no JSON', '{', /cannot be read: /],
  ];
  for (const [title, content, message] of bad)
    test(title, () =>
      assert.throws(() => resolveContestants([file(content)], services), { name: 'CoexistError', message }),
    );
  test('a file that is not there', () =>
    assert.throws(() => resolveContestants([join(folder, 'none.json')], services), {
      code: 'bad-definition',
      message: /none\.json cannot be read/,
      hint: /"name": "mine"/,
    }));
  test('a name that is not known, with the one that was meant', () => {
    assert.throws(() => resolveContestants(['iperf-cubik'], services), {
      code: 'usage',
      message: 'there is no service named "iperf-cubik"; did you mean "iperf-cubic"?',
      hint: /known: .*iperf-reno/,
    });
  });
  test('one twice', () => {
    const path = file({ name: 'mine', service: { id: 'greedy' } });
    assert.throws(() => resolveContestants([path, path], services), { message: 'the service "mine" is named twice' });
  });
  test('none', () => assert.throws(() => resolveContestants([], services), { message: 'no service is named' }));
});

test('every shipped contestant whose service is there can be resolved; those of the default and the quick matrix are shipped', async () => {
  const { services: real } = await loadRegistries();
  const here = Object.entries(contestants)
    .filter(([, { service }]) => real.has(service.id))
    .map(([name]) => name);
  assert.ok(here.includes('live-clip'));
  const resolved = resolveContestants(here, real);
  assert.deepEqual(
    resolved.map(({ name }) => name),
    here,
  );
  assert.equal(resolved.find(({ name }) => name === 'live-clip')!.nominalCapBps, 2.6e6);
  for (const name of [...usual.services!, ...quick.services!])
    assert.ok(typeof name === 'string' && Object.hasOwn(contestants, name), String(name));
});
