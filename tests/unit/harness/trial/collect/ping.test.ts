import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowMs } from '../../../../../core/system/clock.ts';
import { until, within } from '../../../../../core/system/deadline.ts';
import { parsePingLine } from '../../../../../core/system/ping.ts';
import type { PingRecord } from '../../../../../harness/record/series/ping.ts';
import { PingCollector } from '../../../../../harness/trial/collect/ping.ts';
import { fakeHost } from '../../support/fake-host.ts';

/** Returns an answer as ping prints it. `agoS`: age of the answer by the wall clock, s. */
const answer = (sequence: number, rttMs: number, agoS: number) =>
  `[${(Date.now() / 1000 - agoS).toFixed(6)}] 64 bytes from 10.0.2.2: icmp_seq=${sequence} ttl=63 time=${rttMs} ms`;

/** Collects the pings that a script prints, until there are `count`. SIGINT ends the script. */
async function collect(lines: string[], count: number): Promise<{ pings: PingRecord[]; collector: PingCollector }> {
  const pings: PingRecord[] = [];
  const collector = new PingCollector(
    fakeHost(`printf '%s\\n' ${lines.map(line => `'${line}'`).join(' ')}; exec sleep 600`),
    '10.0.2.2',
    ping => pings.push(ping),
  );
  await until(() => (pings.length >= count ? true : undefined), 30_000, `${count} pings`, { everyMs: 5 });
  return { pings, collector };
}

const shape = (pings: readonly PingRecord[]) => pings.map(({ sequence, rttMs }) => [sequence, rttMs]);

test('an answer is a line with time, number and round trip', () => {
  assert.deepEqual(parsePingLine('[1795175362.791413] 64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=2.95 ms'), {
    answeredS: 1795175362.791413,
    sequence: 1,
    rttMs: 2.95,
  });
  assert.deepEqual(
    parsePingLine('[1795175362.791413] 64 bytes from 10.0.2.2: icmp_seq=65535 ttl=63 time=1042 ms (DUP!)'),
    { answeredS: 1795175362.791413, sequence: 65535, rttMs: 1042 },
  );
});

test('everything else that ping says is no answer', () => {
  for (const line of [
    'PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.',
    '',
    '3 packets transmitted, 3 received, 0% packet loss, time 402ms',
    '[1795175362.791413] From 10.0.1.1 icmp_seq=4 Destination Host Unreachable',
    'rtt min/avg/max/mdev = 0.034/1.004/2.945/1.372 ms',
    '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=2.95 ms',
    '[1795175362.79',
  ])
    assert.equal(parsePingLine(line), undefined, line);
});

test("a probe bears the time it was sent, on the harness's clock", async () => {
  const { pings, collector } = await collect([answer(1, 250, 5)], 1);
  await collector.stop();
  const sentMs = nowMs() - 5000 - 250;
  // the ping is at most as old as the running time of the test
  assert.ok(pings[0]!.timeMs <= sentMs && pings[0]!.timeMs > sentMs - 10_000, String(sentMs - pings[0]!.timeMs));
});

test('five probes a second are asked for', async () => {
  const host = fakeHost('exec sleep 600');
  const collector = new PingCollector(host, '10.0.2.2', () => {});
  await collector.stop();
  assert.deepEqual(host.started, [['ping', '-n', '-D', '-i', '0.2', '10.0.2.2']]);
});

test('what was overtaken is lost, at the time it was sent; what comes twice or late counts once', async () => {
  const { pings, collector } = await collect(
    [answer(1, 10, 1.0), answer(4, 10, 0.4), answer(4, 12, 0.39), answer(2, 700, 0.1), answer(5, 10, 0.2)],
    5,
  );
  await collector.stop();
  assert.deepEqual(shape(pings.slice(0, 5)), [
    [1, 10],
    [2, null],
    [3, null],
    [4, 10],
    [5, 10],
  ]);
  assert.ok(Math.abs(pings[1]!.timeMs - (pings[0]!.timeMs + 200)) < 1e-6);
  assert.ok(Math.abs(pings[2]!.timeMs - (pings[0]!.timeMs + 400)) < 1e-6);
});

test('probes lost before the first answer are lost', async () => {
  const { pings, collector } = await collect([answer(3, 10, 1)], 3);
  await collector.stop();
  assert.deepEqual(shape(pings.slice(0, 3)), [
    [1, null],
    [2, null],
    [3, 10],
  ]);
  assert.ok(Math.abs(pings[2]!.timeMs - pings[0]!.timeMs - 400) < 1e-6);
});

/** Checks that exactly those probes count as lost that have no answer and are older than `patienceMs` at the end. */
async function checkEnd(rttMs: number, patienceMs: number): Promise<void> {
  const { pings, collector } = await collect([answer(1, rttMs, 20)], 1);
  const beforeMs = nowMs();
  await collector.stop();
  const afterMs = nowMs();
  const last = pings.at(-1)!;
  assert.deepEqual(
    shape(pings.slice(1)),
    pings.slice(1).map((_, i) => [i + 2, null]),
  );
  assert.ok(last.timeMs < afterMs - patienceMs);
  assert.ok(last.timeMs + 200 >= beforeMs - patienceMs - 1e-6);
}

test('at the end, what has no answer is lost, but for the last second', () => checkEnd(10, 1000));

test('behind a deep queue the answers on their way are not called lost', () => checkEnd(3000, 6000));

test('without any answer nothing is claimed', async () => {
  const pings: PingRecord[] = [];
  const collector = new PingCollector(fakeHost('exec sleep 600'), '10.0.2.2', ping => pings.push(ping));
  await collector.stop();
  assert.deepEqual(pings, []);
});

test('a ping that ends by itself ends the trial, one that is stopped does not', async () => {
  const dead = new PingCollector(
    fakeHost('echo "ping: sendmsg: Operation not permitted" >&2; exit 2'),
    '10.0.2.2',
    () => {},
  );
  await assert.rejects(within(dead.failed, 30_000, 'the failure'), {
    code: 'probe-died',
    message: /ping ended in the middle of the trial: ping: sendmsg: Operation not permitted/,
  });
  const stopped = new PingCollector(fakeHost('exec sleep 600'), '10.0.2.2', () => {});
  await stopped.stop();
  const outcome = await Promise.race([
    stopped.failed.catch(() => 'failed'),
    new Promise(resolve => setImmediate(resolve, 'quiet')),
  ]);
  assert.equal(outcome, 'quiet');
});

test('answers that nobody can read end the trial with what was said', async () => {
  const german = answer(1, 10, 0).replace(' bytes from ', ' Bytes von ').replace(' time=', ' Zeit=');
  const collector = new PingCollector(fakeHost(`echo '${german}'; exec sleep 600`), '10.0.2.2', () => {});
  await assert.rejects(within(collector.failed, 30_000, 'the failure'), {
    code: 'probe-died',
    message: /^the answers of ping cannot be read: ".* Bytes von 10\.0\.2\.2: .* Zeit=10 ms"$/,
  });
  await collector.stop();
});
