/** Choice of the backend on kernels with all, some or none of the features. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendIds } from '../../../../core/vocabulary/backends.ts';
import { type Link, type Path, plainLink } from '../../../../core/vocabulary/link.ts';
import { loadAqms } from '../../../../shaper/aqm/bound-aqm.ts';
import type { Capabilities } from '../../../../shaper/backend/capabilities.ts';
import { aqmsOf, chooseBackend, unseenFromMs } from '../../../../shaper/backend/choose.ts';

const aqms = await loadAqms();

/** A kernel without the named features: a kind of queue discipline, netem, line, loss. */
const kernel = (...lacks: string[]): Capabilities => {
  const has = async (thing: string) => (lacks.includes(thing) ? 'not here' : null);
  return {
    qdisc: words => has(words.split(' ')[0]!),
    netem: () => has('netem'),
    line: () => has('line'),
    loss: () => has('loss'),
    shells: () => has('shells'),
    shellsAround: () => has('shells around'),
    queueLog: () => has('queue log'),
  };
};

function link(change: Partial<Link> & { aqmId?: string; path?: Partial<Path> } = {}): Link {
  const { aqmId = 'fifo', path = {}, ...rest } = change;
  const plain = plainLink(40e6, { unit: 'packets', value: 1000 });
  const aqm = aqms.get(aqmId)!;
  return {
    ...plain,
    aqm: { id: aqmId, title: aqm.title, params: aqm.params.parse({}) },
    paths: { server: { ...plain.paths.server!, ...path }, other: plain.paths.other! },
    ...rest,
  };
}

const choose = (l: Link, ...lacks: string[]) => chooseBackend(l, aqmsOf(l, aqms), kernel(...lacks));

const far: Partial<Path> = { rttMs: 20 };
/** Link on which both senders have this path. */
const both = (path: Partial<Path>, change: Parameters<typeof link>[0] = {}): Link => {
  const one = link({ path, ...change });
  return { ...one, paths: { server: one.paths.server!, other: one.paths.server! } };
};

test('the emulator forms all it can, whatever the kernel has', async () => {
  assert.equal(await choose(link()), 'emulator');
  for (const path of [{ downMs: 25 }, { rttMs: 50 }, { jitterMs: 5 }, { duplicateRatio: 0.01 }])
    assert.equal(await choose(link({ path })), 'emulator');
  assert.equal(await choose(link({ loss: { kind: 'independent', ratio: 0.01, where: 'before' } }), 'loss'), 'emulator');
  assert.equal(await choose(link({ trace: '/a/trace' })), 'emulator');
  assert.equal(await choose(link(), 'htb', 'codel', 'netem'), 'emulator');
  for (const aqmId of aqms.keys())
    if (aqmId !== 'cake') assert.equal(await choose(link({ aqmId, ecn: aqmId === 'dualpi2' })), 'emulator', aqmId);
});

test('what it cannot, the kernel forms where no flow can tell', async () => {
  assert.equal(await choose(both(far, { aqmId: 'cake' })), 'tc');
  assert.equal(await choose(both(far), 'line'), 'tc');
  assert.equal(await choose(both(far, { aqmId: 'cake' }), 'netem'), 'tc+line');
  assert.equal(await choose(both({ ...far, jitterMs: 5 }, { aqmId: 'cake' })), 'tc+line');
});

test('a flow can tell below ten times of a full packet and below 2 ms, at the lowest rate and for the nearest sender', async () => {
  const at = (change: object) => unseenFromMs({ ...plainLink(40e6, { unit: 'packets', value: 1 }), ...change });
  assert.ok(Math.abs(at({}) - 3.028) < 1e-9 && at({ rateBps: 1e9 }) === 2 && Math.abs(at({ bytes: 'ip' }) - 3) < 1e-9);
  assert.ok(
    Math.abs(
      at({
        schedule: [
          { atMs: 0, rateBps: 10e6, rampMs: 0 },
          { atMs: 9, rateBps: 80e6, rampMs: 0 },
        ],
      }) - 12.112,
    ) < 1e-9,
  );
  const refused = {
    code: 'missing-kernel-feature',
    message:
      /: emulator: no delay line \(not here\); tc: it lets packets through early, which a flow sees below a base round-trip time of 3\.03 ms \(here (3|0) ms\); tc\+line: no delay line \(not here\)$/,
    hint: 'set link.backend=tc to accept a link that lets packets through early, or link.rtt to 4 ms or more',
  };
  await assert.rejects(choose(both({ rttMs: 3 }), 'line'), refused);
  await assert.rejects(choose(link({ path: far }), 'line'), refused); // the other's path is short
  assert.equal(await choose(both({ rttMs: 4 }), 'line'), 'tc');
  assert.equal(await choose(both({ downMs: 3, upMs: 0.1 }), 'line'), 'tc');
  assert.equal(await choose(link({ backend: 'tc' }), 'line'), 'tc');
});

test('a backend that is asked for is taken, or refused with what it lacks', async () => {
  for (const backend of backendIds) assert.equal(await choose(link({ backend })), backend);
  await assert.rejects(choose(link({ backend: 'tc', aqmId: 'codel' }), 'codel'), {
    code: 'missing-kernel-feature',
    message: /: tc: no CoDel in this kernel \(not here\); tc\+line: no CoDel in this kernel \(not here\)$/,
  });
  await assert.rejects(choose(link({ backend: 'netem' }), 'netem'), {
    message: /: netem: no netem in this kernel \(not here\); netem\+line: no netem/,
  });
  await assert.rejects(choose(link({ backend: 'netem', aqmId: 'codel' })), {
    message: /netem: netem has no codel, only a FIFO limited in packets/,
  });
  await assert.rejects(choose(link({ backend: 'tbf', trace: '/a/trace' })), {
    message: /tbf: the kernel cannot follow a trace/,
  });
});

test('a shaper of the kernel has its delays by netem, and by the delay line where netem is missing or cannot', async () => {
  for (const backend of ['tc', 'tbf'] as const) {
    assert.equal(await choose(link({ backend, path: { downMs: 25 } })), backend);
    for (const path of [{}, { rttMs: 0 }])
      assert.equal(await choose(link({ backend, path }), 'netem', 'line'), backend);
    for (const path of [{ downMs: 25 }, { upMs: 25 }, { rttMs: 50 }])
      assert.equal(await choose(link({ backend, path }), 'netem'), `${backend}+line`);
    for (const path of [{ jitterMs: 5 }, { reorder: { ratio: 0.01, delayMs: 3 } }, { duplicateRatio: 0.01 }])
      assert.equal(await choose(link({ backend, path })), `${backend}+line`);
  }
});

test('what no backend can form is refused with what each lacks', async () => {
  await assert.rejects(choose(link({ aqmId: 'cake' }), 'cake'), {
    code: 'missing-kernel-feature',
    message: /: emulator: it has no CAKE; tc: no CAKE .*; tc\+line: no CAKE .*$/,
    hint: /^"npm run doctor" tells/,
  });
  await assert.rejects(choose(link({ path: { downMs: 25 } }), 'netem', 'line'), {
    message: /emulator: no delay line \(not here\); tc: no delay \(netem: not here\); tc\+line: no delay line/,
  });
});

test('a FIFO cannot mark', async () => {
  await assert.rejects(choose(link({ ecn: true })), { code: 'bad-definition', message: /a FIFO has nothing to mark/ });
  assert.equal(await choose(link({ ecn: true, aqmId: 'codel' })), 'emulator');
});

test('a bottleneck in each direction is formed by what can form both', async () => {
  const upOf = (aqmId: string, change: Partial<Link> = {}): NonNullable<Link['up']> => {
    const { rateBps, queue, aqm, ecn, loss, schedule, trace } = link({ aqmId, ...change });
    return { rateBps, queue, aqm, ecn, loss, schedule, trace };
  };
  assert.equal(await choose(link({ up: upOf('codel') })), 'emulator');
  for (const backend of ['tc', 'tbf', 'netem'] as const)
    assert.equal(await choose(link({ up: upOf('fifo'), backend })), backend);
  assert.equal(await choose(both(far, { up: upOf('cake') })), 'tc', 'the emulator has no CAKE, in neither direction');
  await assert.rejects(choose(both(far, { up: upOf('cake') }), 'cake'), {
    code: 'missing-kernel-feature',
    message: /: emulator: it has no CAKE; tc: link\.up: no CAKE in this kernel \(not here\); tc\+line: /,
  });
  await assert.rejects(choose(link({ up: upOf('codel'), backend: 'netem' })), {
    message: /: netem: link\.up: netem has no codel, only a FIFO limited in packets; /,
  });
  await assert.rejects(choose(link({ up: upOf('fifo', { ecn: true }) })), {
    code: 'bad-definition',
    message: 'link.up.queue: a FIFO has nothing to mark: choose an AQM, or leave link.queue.ecn out',
  });
});

test('mahimahi forms a link only where it is asked for, and says in one line what its shells lack', async () => {
  const backend = 'mahimahi';
  const path = { downMs: 10, upMs: 20 };
  assert.equal(await choose(link({ backend, path })), backend);
  assert.equal(
    await choose(link({ backend, aqmId: 'codel', loss: { kind: 'independent', ratio: 0.1, where: 'after' } })),
    backend,
  );
  const lacks = (change: Parameters<typeof link>[0], message: RegExp, ...missing: string[]) =>
    assert.rejects(choose(link({ backend, ...change }), ...missing), { code: 'missing-kernel-feature', message });
  await lacks({}, /form the link: mahimahi: not here$/, 'shells');
  await lacks({ aqmId: 'fq-codel' }, /: mahimahi: mm-link has no FQ-CoDel$/);
  await lacks(
    { aqmId: 'pie' },
    /: mm-link's PIE updates its probability every 30 ms: set link\.queue\.aqm\.update=30ms$/,
  );
  await lacks({ aqmId: 'codel', ecn: true }, /mm-link does not mark packets with ECN$/);
  await lacks({ schedule: [{ atMs: 0, rateBps: 1e6, rampMs: 0 }] }, /mm-link has no schedule$/);
  await lacks({ trace: '/a/trace' }, /mm-link would begin a trace before the window$/);
  await lacks({ path: { downMs: 0.5, jitterMs: 3 } }, /mm-delay has whole ms: .*, mm-delay has no jitter$/);
  await lacks(
    { path: { duplicateRatio: 0.1, reorder: { ratio: 0.1, delayMs: 1 } } },
    /reorder packets, no shell duplicates/,
  );
  const bursts = {
    kind: 'gilbert-elliott',
    toBadRatio: 0.1,
    toGoodRatio: 0.1,
    badLossRatio: 1,
    goodLossRatio: 0,
  } as const;
  const up = { ...link(), loss: { ...bursts, where: 'before' as const } };
  await lacks({ up }, /: mahimahi: link\.up: mm-loss has no bursts$/);
});

test('a link outside is the shells around the command, of which only rate and queue can be said', async () => {
  const backend = 'outside';
  assert.equal(await choose(link({ backend })), backend);
  await assert.rejects(choose(link({ backend }), 'shells around'), {
    code: 'missing-kernel-feature',
    message: 'this machine cannot form the link: outside: not here',
  });
  const asked = { aqmId: 'codel', ecn: true, loss: { kind: 'independent', ratio: 0.1, where: 'after' } } as const;
  await assert.rejects(choose(link({ backend, ...asked, path: { rttMs: 20, jitterMs: 1 } })), {
    message:
      /: outside: the link is there already: leave out link\.queue\.aqm, link\.queue\.ecn, link\.loss, link\.rtt, link\.jitter$/,
  });
});
