/** Which backend forms a link: on kernels that have everything, something or nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../../../harness/base/plugins.ts';
import { plainLink } from '../../../../harness/base/link.ts';
import type { Link, Way } from '../../../../harness/base/link.ts';
import type { AqmPlugin } from '../../../../shaper/aqm/aqm.ts';
import type { Capabilities } from '../../../../shaper/backend/capabilities.ts';
import { chooseBackend } from '../../../../shaper/backend/choose.ts';

const aqms = await loadPlugins<AqmPlugin>(new URL('../../../../shaper/aqm/', import.meta.url), 'AQM');

/** A kernel that lacks the named things: a kind of queue discipline, netem, line, loss. */
const kernel = (...lacks: string[]): Capabilities => {
  const has = async (thing: string) => (lacks.includes(thing) ? 'not here' : null);
  return { qdisc: words => has(words.split(' ')[0]!), netem: () => has('netem'), line: () => has('line'), loss: () => has('loss'), queueLog: () => has('queue log') };
};

function link(change: Partial<Link> & { aqmId?: string; way?: Partial<Way> } = {}): Link {
  const { aqmId = 'fifo', way = {}, ...rest } = change;
  const plain = plainLink(40e6, { unit: 'packets', value: 1000 });
  const aqm = aqms.get(aqmId)!;
  return { ...plain, aqm: { id: aqmId, title: aqm.title, params: aqm.params.parse({}) }, ways: { server: { ...plain.ways.server, ...way }, flooder: plain.ways.flooder }, ...rest };
}

const choose = (l: Link, ...lacks: string[]) => chooseBackend(l, aqms.get(l.aqm.id)!, kernel(...lacks));

test('what the kernel can do itself, it does', async () => {
  assert.equal(await choose(link()), 'tc');
  assert.equal(await choose(link({ way: { downMs: 25 } })), 'tc');
  for (const aqmId of aqms.keys()) assert.equal(await choose(link({ aqmId, ecn: aqmId === 'dualpi2' })), 'tc', aqmId);
});

test('without netem the delay line stands in, with the kernel\'s queue still', async () => {
  for (const way of [{ downMs: 25 }, { upMs: 25 }, { rttMs: 50 }]) assert.equal(await choose(link({ way }), 'netem'), 'tc+line');
  assert.equal(await choose(link(), 'netem', 'line'), 'tc');
});

test('what netem cannot do without reordering goes to the delay line everywhere', async () => {
  for (const way of [{ jitterMs: 5 }, { reorder: { ratio: 0.01, delayMs: 3 } }, { duplicateRatio: 0.01 }]) assert.equal(await choose(link({ way })), 'tc+line');
});

test('an AQM that the kernel lacks, loss without BPF and every trace are emulated', async () => {
  assert.equal(await choose(link({ aqmId: 'codel' }), 'codel'), 'emulator');
  assert.equal(await choose(link({ loss: { kind: 'independent', ratio: 0.01, where: 'before' } }), 'loss'), 'emulator');
  assert.equal(await choose(link({ trace: '/a/trace' })), 'emulator');
  assert.equal(await choose(link(), 'htb'), 'emulator');
});

test('a backend that is asked for is taken, or refused with what it lacks', async () => {
  assert.equal(await choose(link({ backend: 'emulator' })), 'emulator');
  assert.equal(await choose(link({ backend: 'tc+line' })), 'tc+line');
  await assert.rejects(choose(link({ backend: 'tc', aqmId: 'codel' }), 'codel'), { code: 'missing-kernel-feature', message: /: tc: no CoDel in this kernel \(not here\)$/ });
});

test('what no backend can form is refused with what each lacks', async () => {
  await assert.rejects(choose(link({ aqmId: 'cake' }), 'cake'), { code: 'missing-kernel-feature', message: /tc: no CAKE .*; tc\+line: no CAKE .*; emulator: it has no CAKE$/ });
  await assert.rejects(choose(link({ way: { downMs: 25 } }), 'netem', 'line'), { message: /tc: no delay \(netem: not here\); tc\+line: no delay line \(not here\); emulator: no delay line/ });
});

test('a FIFO cannot mark', async () => {
  await assert.rejects(choose(link({ ecn: true })), { code: 'bad-definition', message: /a FIFO has nothing to mark/ });
  assert.equal(await choose(link({ ecn: true, aqmId: 'codel' })), 'tc');
});
