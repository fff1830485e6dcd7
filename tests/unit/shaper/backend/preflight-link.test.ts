import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Link, meanLossRatio, plainLink } from '../../../../core/vocabulary/link.ts';
import { loadAqms } from '../../../../shaper/aqm/bound-aqm.ts';
import { preflightLink } from '../../../../shaper/backend/preflight-link.ts';
import type { ShapedLink } from '../../../../shaper/backend/shaped-link.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const link: Link = {
  ...plainLink(20e6, { unit: 'packets', value: 100 }),
  loss: { kind: 'independent', ratio: 0.01, where: 'before' },
};
const end = (name: string, address: string) => ({ host: fakeHost('', '', name), address });
const left = [
  ['server', '10.0.1.2'],
  ['other', '10.0.3.2'],
  ['third', '10.0.4.2'],
].map(([name, address], k) => ({ ...end(name!, address!), ownDevice: 'eth0', device: `toLeft${k}`, network: '' }));
const aqmPlugins = await loadAqms();
const aqm = ({ id, params }: Link['aqm']) => aqmPlugins.get(id)!.bound(params);
const right = [end('client', '10.0.2.2'), end('client-2', '10.0.2.3')];

test('without its losses, too, the link is proved on the backend that will form it', async () => {
  const set: Link[] = [];
  const shapedLink = {
    set: async (asked: Link) => void set.push(asked),
    aqm,
    pathsOf: ({ paths }: Link) => paths,
  } as unknown as ShapedLink;
  const asked = preflightLink(shapedLink, link, 'emulator', 7, { left: left.slice(0, 2), right });
  await asked.reset('bare');
  await asked.reset('loss');
  assert.deepEqual(
    set.map(({ backend, loss }) => [backend, loss?.kind]),
    [
      ['emulator', undefined],
      ['emulator', 'independent'],
    ],
  );
  assert.equal(asked.bucketBytes, 0);
});

test('every host on the left has a path each way, and one without a path is refused', () => {
  const shapedLink = { aqm, pathsOf: ({ paths }: Link) => paths } as unknown as ShapedLink;
  const three = { ...link, paths: { ...link.paths, third: { ...link.paths.server!, downMs: 7, upMs: 9 } } };
  const { paths } = preflightLink(shapedLink, three, 'emulator', 7, { left, right });
  assert.deepEqual(
    paths.map(({ from, to, shaped, delayMs }) => [from, to, shaped, delayMs]),
    [
      ['server', 'client', true, 0],
      ['client', 'server', false, 0],
      ['other', 'client', true, 0],
      ['client', 'other', false, 0],
      ['third', 'client', true, 7],
      ['client', 'third', false, 9],
    ],
  );
  assert.throws(() => preflightLink(shapedLink, link, 'emulator', 7, { left, right }), {
    code: 'link-refused',
    message: 'the link has no path for the host "third"',
    hint: 'give "third" a path; the link has those of server, other',
  });
});

test('each of two bottlenecks is tried by itself, with its own rate, limit, losses and counters', async () => {
  const { rateBps: _, queue: __, ...rest } = link;
  const two: Link = {
    ...link,
    up: {
      rateBps: 1e6,
      queue: { unit: 'packets', value: 20 },
      aqm: rest.aqm,
      ecn: false,
      schedule: [],
      trace: null,
      loss: { kind: 'independent', ratio: 0.02, where: 'before' },
    },
  };
  const set: Link[] = [];
  const count = (sentPackets: number) => ({
    sentBytes: 0,
    sentPackets,
    droppedPackets: 0,
    markedPackets: 0,
    backlogBytes: 0,
    backlogPackets: 0,
  });
  const shapedLink = {
    set: async (asked: Link) => void set.push(asked),
    aqm,
    pathsOf: ({ paths }: Link) => paths,
    counters: async () => ({ ...count(1), up: count(2), loss: [] }),
  } as unknown as ShapedLink;
  const [down, up] = (['down', 'up'] as const).map(direction =>
    preflightLink(shapedLink, two, 'emulator', 7, { left: left.slice(0, 1), right }, direction),
  );
  assert.deepEqual(
    [down!.direction, down!.rateBps, down!.limitPackets, (await down!.counters()).sentPackets],
    ['down', 20e6, 100, 1],
  );
  assert.deepEqual(
    [up!.direction, up!.rateBps, up!.limitPackets, (await up!.counters()).sentPackets],
    ['up', 1e6, 20, 2],
  );
  const brief = ({ paths }: typeof down & object) =>
    paths.map(({ from, to, shaped, otherRateBps, loss }) => [from, to, shaped, otherRateBps, loss?.lossRatio]);
  assert.deepEqual(brief(down!), [
    ['server', 'client', true, undefined, 0.01],
    ['client', 'server', false, 1e6, undefined],
  ]);
  assert.deepEqual(brief(up!), [
    ['client', 'server', true, undefined, 0.02],
    ['server', 'client', false, 20e6, undefined],
  ]);
  await down!.reset('loss');
  await up!.reset('loss');
  assert.deepEqual(
    set.map(asked => [meanLossRatio(asked.loss), meanLossRatio(asked.up!.loss)]),
    [
      [0.01, 0],
      [0, 0.02],
    ],
  );
  assert.equal(preflightLink(shapedLink, link, 'emulator', 7, { left: left.slice(0, 2), right }).direction, undefined);
});

test('mm-link is measured in its own bytes, at which full packets have the rate of the link', () => {
  const shapedLink = { aqm, pathsOf: ({ paths }: Link) => paths } as unknown as ShapedLink;
  const asked = (change: Partial<Link> = {}) =>
    preflightLink(shapedLink, { ...link, ...change }, 'mahimahi', 7, { left: left.slice(0, 1), right });
  const { rateBps, overheadBytes, stepMs, bucketBytes, paths } = asked();
  assert.deepEqual([overheadBytes, stepMs], [4, 1]);
  // packets of 1500 bytes in a second
  assert.ok(Math.abs(rateBps / (1504 * 8) - 20e6 / (1514 * 8)) < 1e-6);
  // those of one tick, and the one that an idle link sends at once
  assert.ok(Math.abs(bucketBytes - rateBps / 8000 - 1504) < 1e-6);
  assert.equal(paths[0]!.loss!.predicted, null);
  assert.equal(asked({ queue: { unit: 'bytes', value: 15_140 } }).limitBytes, 15_040);
  assert.equal(
    asked({ aqm: { id: 'codel', title: 'CoDel', params: { target: 5, interval: 100 } } }).discipline.law,
    null,
  );
});
