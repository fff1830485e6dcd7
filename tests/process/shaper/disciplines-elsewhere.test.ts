/** Preflight of managed queues on links that people have, and of ones that are not what was asked for, in virtual time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Bottleneck, type Direction, type Link, mapPaths } from '../../../core/vocabulary/link.ts';
import { LinkProof } from '../../../harness/trial/link-proof.ts';
import { failures, managedBy, managedLink, told } from '../../unit/shaper/calibrate/support/managed-link.ts';
import { aqms, topology, VirtualLink, virtualPreflight } from '../../unit/shaper/calibrate/support/virtual-link.ts';
import { skip } from '../../unit/shaper/support/link-make.ts';
import { buildReplay } from '../../unit/shaper/support/replay.ts';
import { sharedStart } from '../../unit/support/shared-start.ts';

const withRtt = (link: Link, rttMs: number): Link => ({
  ...link,
  paths: mapPaths(link.paths, path => ({ ...path, downMs: rttMs / 2, upMs: rttMs / 2 })),
});

type Case = { link: Link; direction: Direction };
const down = (id: string, rateBps: number, change: Partial<Bottleneck> = {}): Case => ({
  link: managedLink(id, rateBps, 'down', change),
  direction: 'down',
});
const up = (id: string, rateBps: number, change: Partial<Bottleneck> = {}): Case => ({
  link: managedLink(id, rateBps, 'up', change),
  direction: 'up',
});

const people: Record<string, Case> = {
  'ADSL, 1 Mbit/s up, FQ-CoDel, a limit of one second': up('fq-codel', 1e6, { queue: { unit: 'ms', value: 1000 } }),
  'a satellite of 512 kbit/s and 600 ms, CoDel tuned for it': {
    link: withRtt(down('codel', 512e3, { aqm: managedBy('codel', { target: '50ms', interval: '1s' }) }).link, 600),
    direction: 'down',
  },
  'GPRS of 80 kbit/s with a queue of ten packets, FQ-CoDel': down('fq-codel', 80e3, {
    queue: { unit: 'packets', value: 10 },
  }),
  'a data centre: CoDel of 1 ms and 10 ms at 100 Mbit/s': down('codel', 100e6, {
    aqm: managedBy('codel', { target: '1ms', interval: '10ms' }),
  }),
  'the same set by mistake on 256 kbit/s': down('codel', 256e3, {
    aqm: managedBy('codel', { target: '1ms', interval: '10ms' }),
  }),
  'a cable modem (DOCSIS-PIE, 10 ms) of 5 Mbit/s up': up('pie', 5e6, { aqm: managedBy('pie', { target: '10ms' }) }),
  'PIE of 1 ms, updated every millisecond, at 2 Mbit/s': down('pie', 2e6, {
    aqm: managedBy('pie', { target: '1ms', update: '1ms' }),
  }),
  'L4S over DSL of 2 Mbit/s up': up('dualpi2', 2e6),
  'L4S with a target of 5 ms and a step of 5 ms at 25 Mbit/s': down('dualpi2', 25e6, {
    aqm: managedBy('dualpi2', { target: '5ms', step: '5ms' }),
  }),
  'OpenWrt: FQ-CoDel with a quantum of 300 and ECN at 3 Mbit/s': down('fq-codel', 3e6, {
    aqm: managedBy('fq-codel', { quantum: 300, flows: 64 }),
    ecn: true,
  }),
  'a queue of five packets under CoDel at 10 Mbit/s': down('codel', 10e6, { queue: { unit: 'packets', value: 5 } }),
  'a FIFO of 400 ms at 64 kbit/s: two full packets': down('fifo', 64e3, { queue: { unit: 'ms', value: 400 } }),
  'the fastest link that is overloaded, FQ-CoDel': down('fq-codel', 300e6, {
    queue: { unit: 'packets', value: 10240 },
  }),
};

describe('links of people', { skip }, () => {
  sharedStart(buildReplay);
  for (const [name, { link, direction }] of Object.entries(people))
    test(name, async context => {
      const result = await virtualPreflight(link, direction);
      context.diagnostic(told(result));
      assert.deepEqual(failures(result), [], told(result));
      assert.equal(result.status, 'passed');
    });
});

/** What the link is in place of what was asked for, and the reading that says so. */
const wrong: Record<string, Case & { is: Partial<Bottleneck>; refused: string }> = {
  'no CoDel at all': { ...down('codel', 8e6), is: { aqm: managedBy('fifo') }, refused: 'first-drop' },
  'a CoDel of 20 ms in place of 100 ms': {
    ...down('codel', 1e6),
    is: { aqm: managedBy('codel', { interval: '20ms' }) },
    refused: 'train-rate',
  },
  'a CoDel of 200 ms in place of 100 ms': {
    ...down('fq-codel', 40e6),
    is: { aqm: managedBy('fq-codel', { interval: '200ms' }) },
    refused: 'first-drop',
  },
  'CoDel where a FIFO was asked for': { ...down('fifo', 1e6), is: { aqm: managedBy('codel') }, refused: 'train-rate' },
  'no PIE at all': { ...up('pie', 8e6), is: { aqm: managedBy('fifo') }, refused: 'drop-share' },
  'a PIE of 100 ms in place of 15 ms': {
    ...down('pie', 40e6),
    is: { aqm: managedBy('pie', { target: '100ms' }) },
    refused: 'managed-delay',
  },
  'PIE where DualPI2 was asked for': { ...down('dualpi2', 40e6), is: { aqm: managedBy('pie') }, refused: 'coupling' },
  'another rate beneath FQ-CoDel': { ...down('fq-codel', 1e6), is: { rateBps: 0.98e6 }, refused: 'rate' },
};

describe('a link that is not what was asked for is refused', { skip }, () => {
  sharedStart(buildReplay);
  for (const [name, { link, direction, is, refused }] of Object.entries(wrong))
    test(name, async () => {
      const spoil = (asked: Link): Link =>
        direction === 'down' ? { ...asked, ...is } : { ...asked, up: { ...asked.up!, ...is } };
      const result = await virtualPreflight(link, direction, { spoil });
      assert.equal(result.status, 'refused', told(result));
      assert.ok(
        result.readings.some(one => one.id === refused && one.verdict === 'refused'),
        told(result),
      );
    });
});

describe('a limit in time on a slow link', { skip }, () => {
  sharedStart(buildReplay);

  test('holds as many small packets as bytes go into it, so that the discipline can be proved', async () => {
    const asked = managedLink('codel', 64e3, 'down', { queue: { unit: 'ms', value: 1000 } });
    const result = await virtualPreflight(asked, 'down');
    assert.equal(result.status, 'passed', told(result));
    assert.equal(result.readings.find(({ id }) => id === 'first-drop')?.verdict, 'ok', told(result));
  });
});

describe('what would end the same way', { skip }, () => {
  sharedStart(buildReplay);
  const of = ({ attempts }: { attempts: readonly { step: string }[] }, step: string) =>
    attempts.filter(attempt => attempt.step === step).length;

  test('a link that is refused has had three attempts, and what may help is said', async () => {
    const asked = managedLink('fq-codel', 1e6, 'down');
    const slower = await virtualPreflight(asked, 'down', { spoil: link => ({ ...link, rateBps: 0.98e6 }) });
    assert.deepEqual([of(slower, 'delay'), of(slower, 'overload')], [1, 3]);
    const managed = await virtualPreflight(managedLink('fifo', 1e6, 'down'), 'down', {
      spoil: link => ({ ...link, aqm: managedBy('codel') }),
    });
    assert.equal(of(managed, 'trains'), 3);
    const [finding] = managed.findings;
    assert.match(
      finding!.message,
      /^the link is not what was asked for: .*the queue dropped \d+ packets that FIFO would not/,
    );
    assert.match(finding!.advice!, /^another link\.queue\.aqm or link\.backend may help; run\.preflight=false/);
  });

  test('a link that was refused is not measured again, one that a machine disturbed is', async () => {
    const options = { onStart: () => {}, signal: new AbortController().signal };
    const link = managedLink('codel', 8e6, 'down');
    const virtual = new VirtualLink(one => ({ ...one, rateBps: 7.8e6 }));
    const proof = new LinkProof(virtual.shaped, topology, '', virtual.exchange);
    const first = await proof.of(link, 7, options);
    assert.deepEqual([first!.reading.status, first!.reading.earlier], ['refused', false]);
    const sent = virtual.exchanges;
    const second = await proof.of(link, 8, options);
    assert.deepEqual([second!.reading.status, second!.reading.earlier, virtual.exchanges], ['refused', true, sent]);
    assert.deepEqual(second!.findings, first!.findings);
    const disturbed = new LinkProof(virtual.shaped, topology, '', async (...words) => {
      const { wakeUps, ...rest } = await virtual.exchange(...words);
      return { ...rest, wakeUps: { ...wakeUps, maxUs: 50_000 } };
    });
    for (let k = 0; k < 2; k++) {
      const { reading } = (await disturbed.of(link, 7, options))!;
      assert.deepEqual([reading.status, reading.earlier], ['disturbed', false]);
    }
  });

  test('a discipline that does not say when it drops is measured as far as that goes, with notes', async () => {
    const codel = aqms.get('codel')!;
    aqms.set('codel', { ...codel, bound: params => ({ ...codel.bound(params), law: () => null }) });
    try {
      const result = await virtualPreflight(managedLink('codel', 1e6, 'down'), 'down');
      assert.deepEqual([result.status, failures(result)], ['passed', []], told(result));
      const notes = result.readings.filter(({ verdict }) => verdict === 'skipped').map(({ id, note }) => [id, note]);
      assert.deepEqual(
        notes.map(([id]) => id),
        ['train-dispersion', 'train-rate', 'line-rate-packets', 'queue-count', 'discipline'],
      );
      assert.ok(notes.every(([, note]) => note !== null));
    } finally {
      aqms.set('codel', codel);
    }
  });
});
