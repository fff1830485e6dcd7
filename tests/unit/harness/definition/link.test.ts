import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../core/schema/schema.ts';
import {
  baseRttMs,
  describeLink,
  inDirection,
  type Link,
  meanLossRatio,
  queueLimitForms,
  rateForms,
  withoutChance,
} from '../../../../core/vocabulary/link.ts';
import { linkSchema, linkWithPaths, pathSchema, withSameQueue } from '../../../../harness/definition/link.ts';

/** Returns a link as a definition has it, with the AQM's title from the registry. */
const link = (change: object, own: Record<string, object | undefined> = { service: {}, flood: {} }): Link => {
  const { aqm, up, further, ...rest } = linkWithPaths(
    check(linkSchema, { rate: '40mbit', queue: { limit: '1000packets' }, ...change }, 'link'),
    Object.entries(own).map(([name, path]) => [name, check(pathSchema, path, name)] as const),
  );
  const titled = ({ id }: { id: string }) => ({ id, title: id === 'fifo' ? 'FIFO' : id, params: {} });
  const both = <T extends { aqm: typeof aqm; up: typeof up }>(one: T) => ({
    ...one,
    aqm: titled(one.aqm),
    up: one.up === null ? null : { ...one.up, aqm: titled(one.up.aqm) },
  });
  return { ...both({ ...rest, aqm, up }), ...(further === undefined ? {} : { further: further.map(both) }) };
};
const queue = (limit: string) => ({ queue: { limit } });

test('a limit in packets, bytes, milliseconds or BDP is known in all of them', () => {
  // 1000 frames of 1514 bytes; at 40 Mbit/s, 5000 bytes drain in a millisecond
  assert.deepEqual(queueLimitForms(link({})), { packets: 1000, bytes: 1_514_000, ms: 1_514_000 / 5000, bdp: null });
  assert.deepEqual(queueLimitForms(link(queue('1514kB'))), { packets: 1000, bytes: 1_514_000, ms: 302.8, bdp: null });
  assert.deepEqual(queueLimitForms(link(queue('100ms'))), {
    packets: 500_000 / 1514,
    bytes: 500_000,
    ms: 100,
    bdp: null,
  });
  assert.equal(queueLimitForms(link({ ...queue('100ms'), rate: '1mbit' })).bytes, 12_500);
  // 40 Mbit/s times 50 ms are 250 000 bytes
  assert.deepEqual(queueLimitForms(link({ ...queue('2bdp'), rtt: '50ms' })), {
    packets: 500_000 / 1514,
    bytes: 500_000,
    ms: 100,
    bdp: 2,
  });
  assert.equal(queueLimitForms(link({ ...queue('100ms'), delay: { down: '10ms', up: '15ms' } })).bdp, 4);
});

test('both conventions of counting bytes are known', () => {
  assert.deepEqual(rateForms(link({})), { ethernetBps: 40e6, ipBps: (40e6 * 1500) / 1514 });
  assert.deepEqual(rateForms(link({ bytes: 'ip' })), { ethernetBps: (40e6 * 1514) / 1500, ipBps: 40e6 });
  assert.equal(queueLimitForms(link({ bytes: 'ip' })).bytes, 1_500_000);
});

test('what is said for all senders holds for each that does not say otherwise', () => {
  const { paths } = link(
    { delay: { down: '10ms', up: '5ms' }, jitter: '2ms', duplicate: '1%' },
    { service: {}, flood: { delay: { down: '40ms' }, reorder: { ratio: '1%', delay: '3ms' } } },
  );
  assert.deepEqual(paths['service'], {
    downMs: 10,
    upMs: 5,
    rttMs: null,
    jitterMs: 2,
    reorder: null,
    duplicateRatio: 0.01,
  });
  assert.deepEqual(paths['flood'], {
    downMs: 40,
    upMs: 5,
    rttMs: null,
    jitterMs: 2,
    reorder: { ratio: 0.01, delayMs: 3 },
    duplicateRatio: 0.01,
  });
  assert.equal(baseRttMs({ paths }), 45);
  assert.deepEqual(link({ rtt: '50ms' }, { service: { rtt: '20ms' }, flood: {} }).paths, {
    service: { downMs: 0, upMs: 0, rttMs: 20, jitterMs: 0, reorder: null, duplicateRatio: 0 },
    flood: { downMs: 0, upMs: 0, rttMs: 50, jitterMs: 0, reorder: null, duplicateRatio: 0 },
  });
});

test('losses: none, independent, in bursts', () => {
  assert.equal(link({}).loss, null);
  assert.equal(link({ loss: '0%' }).loss, null);
  assert.deepEqual(link({ loss: '2%' }).loss, { kind: 'independent', ratio: 0.02, where: 'before' });
  assert.deepEqual(link({ loss: { ratio: '2%', where: 'after' } }).loss, {
    kind: 'independent',
    ratio: 0.02,
    where: 'after',
  });
  const bursts = link({ loss: { toBad: '1%', toGood: '30%', bad: '50%' } }).loss;
  assert.deepEqual(bursts, {
    kind: 'gilbert-elliott',
    toBadRatio: 0.01,
    toGoodRatio: 0.3,
    badLossRatio: 0.5,
    goodLossRatio: 0,
    where: 'before',
  });
  assert.ok(Math.abs(meanLossRatio(bursts) - (0.01 / 0.31) * 0.5) < 1e-12);
});

test('a link in one line', () => {
  assert.equal(
    describeLink(link({})),
    '40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), no added delay, no random loss',
  );
  assert.equal(
    describeLink(link({ backend: 'tc' })),
    '40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), no added delay, no random loss, formed by tc, not serialising',
  );
  assert.match(describeLink(link({ backend: 'emulator' })), /, formed by emulator, serialising$/);
  assert.equal(
    describeLink(link({ ...queue('1MB'), rate: '5mbit', loss: '2%' })),
    '5 Mbit/s, FIFO 1000 kB (661 full packets, 1.6 s), no added delay, random loss 2 %',
  );
  assert.equal(
    describeLink(link({ ...queue('250ms'), rate: '20mbit', loss: '0.5%' })),
    '20 Mbit/s, FIFO 625 kB (413 full packets, 250 ms), no added delay, random loss 0.5 %',
  );
  assert.equal(
    describeLink(
      link(
        {
          queue: { limit: '2bdp', aqm: 'codel', ecn: true },
          rtt: '50ms',
          bytes: 'ip',
          schedule: [{ at: '10s', rate: '10mbit' }],
        },
        { service: {}, flood: { rtt: '100ms' } },
      ),
    ),
    '40 Mbit/s (IP bytes), 10 Mbit/s after 10 s, codel 1000 kB (2 BDP, 667 full packets, 200 ms) with ECN, service: ' +
      'base RTT 50 ms, flood: base RTT 100 ms, no random loss',
  );
});

test('of a link that follows a trace no rate says how long its queue takes', () => {
  const traced = (limit: string) => link({ ...queue(limit), rtt: '50ms', trace: 'traces/cell.trace' });
  assert.deepEqual(queueLimitForms(traced('1000packets')), { packets: 1000, bytes: 1_514_000, ms: null, bdp: null });
  assert.equal(
    describeLink(traced('1000packets')),
    'trace cell.trace, FIFO 1000 packets (1.51 MB), base RTT 50 ms, no random loss',
  );
  assert.equal(
    describeLink(link({ ...queue('9packets'), trace: { make: 'lte', startAt: 'seeded', times: 0.5, loop: false } })),
    'trace lte (seed 1), from a seeded start, at 0.5 times its rate, played once, FIFO 9 packets (0.0136 MB), ' +
      'no added delay, no random loss',
  );
  assert.equal(
    describeLink(traced('2bdp')),
    'trace cell.trace, FIFO 500 kB (330 full packets), base RTT 50 ms, no random loss',
  );
});

test('what makes no sense is refused with its path', () => {
  const refused = (value: object, message: RegExp) =>
    assert.throws(() => link(value), { code: 'bad-definition', message });
  // 64 kbit/s drain 8 bytes a millisecond: 189 ms are 1512 bytes
  for (const limit of ['0.4packets', '1513bytes', '189ms'])
    refused({ rate: '64kbit', ...queue(limit) }, /link: queue\.limit: the queue must hold at least one full packet/);
  assert.equal(link({ rate: '64kbit', ...queue('1514bytes') }).queue.value, 1514);
  refused({ rate: '63kbit' }, /rate: .*at least 64 kbit\/s/);
  refused({ rate: '11gbit' }, /at most 10 Gbit\/s/);
  refused({ rate: '0mbit' }, /rate: .*out of range/);
  refused({ loss: '91%' }, /loss: .*at most 90 %/);
  refused({ loss: { ratio: '2%', wher: 'after' } }, /loss: unknown key "wher"; did you mean "where"/);
  refused({ loss: { toBad: '1%', toGood: '0%' } }, /loss\.toGood: .*more than/);
  refused(queue('10 sacks'), /queue\.limit: "10 sacks" is not a queue limit/);
  refused({ queue: { limit: '10packets', aqn: 'codel' } }, /unknown key "aqn"; did you mean "aqm"/);
  refused(queue('2bdp'), /queue\.limit: a limit in BDP needs a delay/);
  refused({ delay: { down: '-5ms' } }, /delay\.down: .*at least 0 ms/);
  refused({ delay: { dwon: '5ms' } }, /delay: unknown key "dwon" \(known: down, up\)/);
  refused(
    { rtt: '20ms', delay: { down: '25ms' } },
    /link: rtt: the base round-trip time of service \(20 ms\) is less than its delays \(25 ms\)/,
  );
  refused({ dleay: { down: '5ms' } }, /unknown key "dleay"; did you mean "delay"/);
  refused(
    {
      schedule: [
        { at: '10s', rate: '5mbit', ramp: '2s' },
        { at: '11s', rate: '10mbit' },
      ],
    },
    /schedule\.1\.at: steps must be in order/,
  );
  refused({ schedule: [{ at: '10s', rate: '0mbit' }] }, /schedule\.0\.rate: .*out of range/);
  refused({ trace: { file: 'x', loop: 2 } }, /trace\.loop: must be true or false/);
  refused(
    { trace: 'x', schedule: [{ at: '10s', rate: '5mbit' }] },
    /trace: a link follows a trace or a schedule, not both/,
  );
  refused({ backend: 'htb' }, /backend: .*not one of auto, tc, tc\+line, tbf, tbf\+line, netem, netem\+line, emulator/);
});

test('a bottleneck from the clients has fields of its own, and counts bytes as the link does', () => {
  assert.equal(link({}).up, null);
  const both = link({
    rtt: '50ms',
    loss: '1%',
    up: {
      rate: '1mbit',
      queue: { limit: '300ms', aqm: 'codel', ecn: true },
      loss: { ratio: '2%', where: 'after' },
      schedule: [{ at: '10s', rate: '2mbit' }],
    },
  });
  assert.deepEqual(both.up, {
    rateBps: 1e6,
    queue: { unit: 'ms', value: 300 },
    aqm: { id: 'codel', title: 'codel', params: {} },
    ecn: true,
    loss: { kind: 'independent', ratio: 0.02, where: 'after' },
    schedule: [{ atMs: 10_000, rateBps: 2e6, rampMs: 0 }],
    trace: null,
  });
  const up = inDirection(both, 'up');
  assert.deepEqual(
    [up.rateBps, queueLimitForms(up).bytes, up.bytes, inDirection(both, 'down').rateBps],
    [1e6, 37_500, 'ethernet', 40e6],
  );
  assert.deepEqual([withoutChance(both).up!.loss, withoutChance(both).up!.schedule], [null, []]);
  assert.equal(
    describeLink(both),
    '40 Mbit/s, FIFO 1000 packets (1.51 MB, 303 ms), base RTT 50 ms, random loss 1 % (up: 1 Mbit/s, ' +
      '2 Mbit/s after 10 s, codel 37.5 kB (25 full packets, 300 ms) with ECN, random loss 2 % after the queue)',
  );
  assert.throws(() => inDirection(link({}), 'up'), /no bottleneck from the clients/);
  const refused = (up: object, message: RegExp) =>
    assert.throws(() => link({ up: { rate: '1mbit', queue: { limit: '20packets' }, ...up } }), {
      code: 'bad-definition',
      message,
    });
  refused({ queue: { limit: '1513bytes' } }, /link: up\.queue\.limit: the queue must hold at least one full packet/);
  refused({ queue: { limit: '2bdp' } }, /link: up\.queue\.limit: a limit in BDP needs a delay/);
  refused(
    {
      schedule: [
        { at: '5s', rate: '2mbit', ramp: '2s' },
        { at: '6s', rate: '3mbit' },
      ],
    },
    /link: up\.schedule\.1\.at: steps must be in order/,
  );
  refused(
    { schedule: [{ at: '5s', rate: '2mbit' }], trace: 'a.trace' },
    /link: up\.trace: a link follows a trace or a schedule, not both/,
  );
  refused({ rtt: '50ms' }, /link\.up: unknown key "rtt"|link: up: unknown key "rtt"|rtt/);
});

test('only the emulator follows a trace, so another backend is refused with the definition', () => {
  const refused = (change: object, message: RegExp) =>
    assert.throws(() => link(change), { code: 'bad-definition', message });
  refused({ trace: 'a.trace', backend: 'tc' }, /link: trace: tc cannot follow a trace/);
  const up = { rate: '1mbit', ...queue('20packets'), trace: 'a.trace' };
  refused({ up, backend: 'netem+line' }, /link: up\.trace: netem\+line cannot follow a trace/);
  refused(
    { then: [{ rate: '8mbit', ...queue('50packets'), trace: 'a.trace', backend: 'tbf' }] },
    /then\.0\.trace: tbf/,
  );
  assert.equal(link({ trace: 'a.trace', backend: 'emulator' }).trace, 'a.trace');
});

test('bottlenecks in a row are those of link.then, each checked like the first', () => {
  const then = [{ rate: '8mbit', queue: { limit: '50packets' }, up: { rate: '1mbit', ...queue('20packets') } }];
  const { further } = link({ then });
  assert.deepEqual(
    further!.map(({ rateBps, queue: limit, up, backend }) => [rateBps, limit, up!.rateBps, backend]),
    [[8e6, { unit: 'packets', value: 50 }, 1e6, 'auto']],
  );
  assert.equal(link({ then: [] }).further, undefined);
  const refused = (change: object, message: RegExp) =>
    assert.throws(() => link(change), { code: 'bad-definition', message });
  refused({ then: [{ rate: '8mbit', queue: { limit: '100bytes' } }] }, /then\.0\.queue\.limit: .*one full packet/);
  refused(
    { then: [{ rate: '8mbit', queue: { limit: '2bdp' } }] },
    /then\.0\.queue\.limit: a limit in BDP needs a delay/,
  );
  refused({ then: Array(4).fill(then[0]) }, /link: then: a link has 4 bottlenecks at most/);
  refused({ then: then[0] }, /link: then: .* is not a list; write it like \[\{ rate: /);
  const same = withSameQueue({ then: [{ ...then[0], up: { rate: '1mbit', queue: 'same' } }] });
  assert.deepEqual((same.then[0] as { up: object }).up, { rate: '1mbit', queue: { limit: '50packets' } });
});
