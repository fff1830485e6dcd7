import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Path, plainPath } from '../../../../core/vocabulary/link.ts';
import { settledUpMs } from '../../../../shaper/backend/settle-paths.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

/** A host on the left whose probes return after `rttMs`. */
const end = (name: string, rttMs: number) => ({
  host: fakeHost(
    'true',
    `[1795175362.791413] 64 bytes from 10.0.2.2: icmp_seq=1 ttl=63 time=${rttMs} ms\n`.repeat(3),
    name,
  ),
  address: '10.0.1.2',
  ownDevice: 'eth0',
  device: name,
  network: '10.0.1.0/24',
});
const right = [{ host: fakeHost('true', '', 'client'), address: '10.0.2.2' }];

test('the return path makes up what a path lacks; paths that are alike are measured once', async () => {
  const near: Path = { ...plainPath, downMs: 10, rttMs: 20 };
  const left = [end('a', 20.3), end('b', 20.9), end('c', 51), end('d', 1)];
  const paths = { a: near, b: { ...near }, c: { ...near, rttMs: 50 }, d: { ...plainPath, upMs: 7 } };
  const upMs = await settledUpMs({ paths }, { left, right });
  assert.deepEqual(
    Object.entries(upMs).map(([name, ms]) => [name, Math.round(ms * 1000) / 1000]),
    [
      ['a', 9.7],
      ['b', 9.7],
      ['c', 39],
      ['d', 7],
    ],
  );
  assert.deepEqual(
    left.map(({ host }) => host.asked.length),
    [1, 0, 1, 0],
  );
});

test('a path that has more of itself than is wanted has no delay added', async () => {
  const left = [end('a', 30)];
  assert.deepEqual(await settledUpMs({ paths: { a: { ...plainPath, rttMs: 20 } } }, { left, right }), { a: 10 });
  assert.deepEqual(
    await settledUpMs({ paths: { a: { ...plainPath, downMs: 15, rttMs: 20 } } }, { left: [end('a', 40)], right }),
    { a: 0 },
  );
});

test('answers are waited for longer than the round trip that is asked for', async () => {
  for (const [rttMs, waitedS] of [
    [20, 6],
    [12_000, 17],
  ] as const) {
    const left = [end('a', rttMs)];
    await settledUpMs({ paths: { a: { ...plainPath, rttMs } } }, { left, right });
    const words = left[0]!.host.asked[0]!;
    assert.equal(words[words.indexOf('-W') + 1], String(waitedS));
  }
});

test('a path on which no probe comes back is refused', async () => {
  const left = [{ ...end('a', 1), host: fakeHost('true', '', 'a') }];
  await assert.rejects(settledUpMs({ paths: { a: { ...plainPath, rttMs: 20 } } }, { left, right }), {
    code: 'link-refused',
    message: /no probe came back/,
  });
});

test('a ping whose answers nobody can read is told from one without answers', async () => {
  const german = '64 Bytes von 10.0.2.2: icmp_seq=1 ttl=63 Zeit=20.1 ms\n';
  const left = [{ ...end('a', 1), host: fakeHost('true', german, 'a') }];
  await assert.rejects(settledUpMs({ paths: { a: { ...plainPath, rttMs: 20 } } }, { left, right }), {
    code: 'link-refused',
    message: /the answers of ping cannot be read: "64 Bytes von .* Zeit=20\.1 ms"/,
  });
});
