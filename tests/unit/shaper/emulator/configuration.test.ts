import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Link, mapPaths, plainLink } from '../../../../core/vocabulary/link.ts';
import { emulatorConfiguration, lineConfiguration } from '../../../../shaper/emulator/configuration.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const left = [
  ['server', '10.0.1.2'],
  ['other', '10.0.3.2'],
  ['third', '10.0.4.2'],
].map(([name, address], k) => ({
  host: fakeHost('', '', name),
  address: address!,
  ownDevice: 'eth0',
  device: `to${k}`,
  network: '',
}));
const link: Link = {
  ...plainLink(5e6, { unit: 'packets', value: 50 }, ['server', 'other', 'third']),
  loss: { kind: 'independent', ratio: 0.01, where: 'before' },
};
const fifo = { kind: 'fifo' } as const;
const pathsOf = (config: ReturnType<typeof emulatorConfiguration>) =>
  config.paths.map(({ direction, peer, delayUs, loss }) => [
    direction,
    peer,
    delayUs,
    loss?.kind === 'independent' ? loss.ratio : null,
  ]);

test('every host on the left is led through the bottleneck towards the clients', () => {
  const config = emulatorConfiguration(
    link,
    { ...link.paths, third: { ...link.paths.third!, upMs: 4 } },
    { down: fifo, up: null },
    { left, seed: 1 },
  );
  assert.deepEqual(pathsOf(config), [
    ['down', '10.0.1.2', 0, 0.01],
    ['down', '10.0.3.2', 0, 0.01],
    ['down', '10.0.4.2', 0, 0.01],
    ['up', '10.0.4.2', 4000, null],
  ]);
  assert.equal(config.up, null);
});

test('with a bottleneck from the clients, every host is led through both, each with its own losses and queue', () => {
  const { aqm, trace } = link;
  const up = {
    rateBps: 1e6,
    queue: { unit: 'ms', value: 300 } as const,
    aqm,
    trace,
    ecn: false,
    loss: { kind: 'independent', ratio: 0.02, where: 'after' } as const,
    schedule: [{ atMs: 10, rateBps: 2e6, rampMs: 0 }],
  };
  const config = emulatorConfiguration(
    { ...link, up },
    link.paths,
    { down: fifo, up: fifo },
    { left: left.slice(0, 2), seed: 1 },
  );
  assert.deepEqual(pathsOf(config), [
    ['down', '10.0.1.2', 0, 0.01],
    ['up', '10.0.1.2', 0, 0.02],
    ['down', '10.0.3.2', 0, 0.01],
    ['up', '10.0.3.2', 0, 0.02],
  ]);
  assert.deepEqual([config.bottleneck?.rateBps, config.bottleneck?.limitPackets], [5e6, 50]);
  // a limit in time follows the schedule
  assert.deepEqual([config.up?.limitBytes, config.up?.limitUs], [null, 300_000]);
  const still = emulatorConfiguration(
    { ...link, up: { ...up, schedule: [] } },
    link.paths,
    { down: fifo, up: fifo },
    { left: left.slice(0, 2), seed: 1 },
  );
  assert.deepEqual([still.up?.limitBytes, still.up?.limitUs], [37_500, undefined]);
  assert.deepEqual([config.up?.rateBps, config.up?.schedule], [1e6, [{ atUs: 10_000, rateBps: 2e6, rampUs: 0 }]]);
});

test('a delay line takes only what it delays, and a host without a path is refused', () => {
  const paths = mapPaths(link.paths, (path, name) => ({ ...path, downMs: name === 'other' ? 5 : 0 }));
  assert.deepEqual(
    lineConfiguration(paths, left, 1).paths.map(({ direction, peer }) => [direction, peer]),
    [['down', '10.0.3.2']],
  );
  const { third: _, ...two } = link.paths;
  assert.throws(() => lineConfiguration(two, left, 1), {
    code: 'link-refused',
    message: 'the link has no path for the host "third"',
    hint: 'give "third" a path; the link has those of server, other',
  });
});
