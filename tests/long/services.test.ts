/** Every service of pairwise tests, as a real client of a real server over a real bottleneck: a few seconds of each. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CoexistError } from '../../core/errors.ts';
import { Lease } from '../../core/system/lease.ts';
import { type Network, networkBetween } from '../../core/system/network.ts';
import { http3Version } from '../../harness/services/shared/http3-program.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { checkBbr3 } from '../../shaper/bbr3/loader.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { shapedLinkOf, tcLink } from '../e2e/support/links.ts';
import { cannotRun } from '../e2e/support/run-command.ts';
import { ofKind, type Used, useService } from '../e2e/support/services.ts';
import type { TwoSenders } from '../e2e/support/two-senders.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';

const linkBps = 20e6;
process.env['COEXIST_STATE_DIR'] = temporaryFolder();

describe('services', { skip: cannotRun }, () => {
  let lease: Lease;
  let dumbbell: TwoSenders;
  let network: Network;
  let shapedLink: ShapedLink;

  before(async () => {
    lease = Lease.open();
    dumbbell = await Dumbbell.build(lease, twoSenders);
    network = dumbbell.network('server', 'client');
    shapedLink = shapedLinkOf(dumbbell);
    await shapedLink.set(tcLink(linkBps, { unit: 'packets', value: 256 }), 1);
  });
  after(async () => {
    await shapedLink.clear();
    await dumbbell.remove();
    lease.release();
  });

  const use = (id: string, params: object, seconds: number) => useService(lease, network, id, params, seconds);
  const controls = ({ transport }: Used) => [...new Set(transport!.flows.map(flow => flow.congestionControl))];
  const meanBps = ({ live }: Used) =>
    live.slice(1).reduce((sum, { goodputBps }) => sum + goodputBps, 0) / (live.length - 1);

  /** Nothing of a service outlives it: no program on its hosts, no rule of its own. */
  async function isGone(): Promise<void> {
    for (const { host } of [...dumbbell.left, ...dumbbell.right])
      assert.deepEqual(await host.processIds(), [], host.name);
    const { stdout } = await network.hosts.server.run(['ip', 'rule']);
    assert.equal(stdout.trim().split('\n').length, 3, stdout);
  }

  test('a download takes the link, with the congestion control that was asked for', async () => {
    for (const [asked, label] of [
      ['reno', 'Reno'],
      ['cubic', 'CUBIC'],
    ] as const) {
      const used = await use('download', { congestionControl: asked }, 4);
      assert.ok(meanBps(used) > 0.8 * linkBps && meanBps(used) < linkBps, `${asked}: ${meanBps(used)} bit/s`);
      assert.deepEqual(controls(used), [asked]);
      assert.equal(used.transport!.label, label);
      assert.equal(used.transport!.flows.length, 1);
      assert.ok(used.page.every(({ visible }) => visible));
      await isGone();
    }
  });

  test('a download with a cap keeps it', async () => {
    const used = await use('download', { congestionControl: 'reno', cap: '3mbit' }, 4);
    assert.ok(Math.abs(meanBps(used) - 3e6) < 0.05 * 3e6, `${meanBps(used)} bit/s`);
    const transfers = ofKind(used.records, 'transfer');
    for (const [k, { receivedBytes }] of transfers.entries())
      assert.ok(k === 0 || receivedBytes >= transfers[k - 1]!.receivedBytes);
  });

  test('a download has several clients, each on a host and over a flow of its own', async () => {
    const own = Lease.open();
    const wide = await Dumbbell.build(own, { left: ['server'], right: ['client', 'client-2', 'client-3'] });
    try {
      const [client, ...further] = wide.right;
      const three = networkBetween(wide.left[0]!, client!, further);
      const params = { congestionControl: 'reno', clients: 3, cap: '9mbit' };
      const used = await useService(own, three, 'download', params, 4);
      assert.ok(Math.abs(meanBps(used) - 9e6) < 0.05 * 9e6, `${meanBps(used)} bit/s`);
      assert.deepEqual(used.transport!.flows.map(flow => flow.client).sort(), [1, 2, 3]);
      assert.deepEqual([...new Set(ofKind(used.records, 'transfer').map(record => record.client))].sort(), [1, 2, 3]);
      for (const { host } of [...wide.left, ...wide.right]) assert.deepEqual(await host.processIds(), [], host.name);
    } finally {
      await wide.remove();
      own.release();
    }
  });

  test('a batch download has five flows, and batch comes after batch', async () => {
    const used = await use('batch-download', { congestionControl: 'reno', chunkBytes: 300_000 }, 5);
    assert.equal(used.transport!.flows.length, 5);
    const batches = ofKind(used.records, 'batch');
    assert.ok(batches.length >= 4, `${batches.length} batches`);
    for (const [k, { number, bytes, timeMs, durationMs }] of batches.entries()) {
      assert.equal(number, k + 1);
      assert.equal(bytes, 1_500_000);
      assert.ok(
        k === 0 || timeMs - durationMs >= batches[k - 1]!.timeMs - 1,
        'none begins before the one before it has ended',
      );
    }
    await isGone();
  });

  test('iperf3 as a service', async () => {
    const used = await use('iperf', { congestionControl: 'cubic', flows: 2 }, 3);
    assert.ok(meanBps(used) > 0.8 * linkBps && meanBps(used) < 1.05 * linkBps, `${meanBps(used)} bit/s`);
    assert.equal(used.transport!.flows.length, 2);
    assert.deepEqual(controls(used), ['cubic']);
    await isGone();
  });

  test('BBRv3 is loaded for a service and proves itself in each flow', async t => {
    try {
      await checkBbr3();
    } catch (error) {
      return t.skip(error instanceof CoexistError ? error.message : String(error));
    }
    const used = await use('batch-download', { congestionControl: 'bbr3', flows: 2, chunkBytes: 2_000_000 }, 4);
    const { label, flows, loaded } = used.transport!;
    assert.equal(label, 'BBRv3 (draft-ietf-ccwg-bbr)');
    assert.deepEqual(
      flows.map(({ congestionControl, model }) => [congestionControl, model!.version]),
      [
        ['bbr3', 3],
        ['bbr3', 3],
      ],
    );
    assert.match(loaded!.objectSha256!, /^[0-9a-f]{64}$/);
    assert.equal(loaded!.loadedForThis, true);
  });

  const videos: { player: string; connections?: number; congestionControl?: string; protocol?: string }[] = [
    { player: 'hls.js' },
    { player: 'dash.js' },
    { player: 'hls.js', connections: 4, congestionControl: 'reno' },
    { player: 'hls.js', protocol: 'h2', connections: 2 },
    { player: 'hls.js', protocol: 'h3', congestionControl: 'bbr3' },
    { player: 'hls.js', protocol: 'h3', connections: 2 },
    { player: 'dash.js', protocol: 'h3', congestionControl: 'newreno' },
  ];
  for (const given of videos) {
    test(`adaptive video: ${Object.values(given).join(', ')}`, async t => {
      if (given.protocol === 'h3') {
        const missing = await http3Version().then(
          () => undefined,
          (error: unknown) => (error instanceof CoexistError ? error.line : String(error)),
        );
        if (missing !== undefined) return t.skip(missing);
      }
      const used = await use('abr-video', { congestionControl: 'cubic', buffer: '12s', ...given }, 10);
      const { startupMs } = used.description as { startupMs: number };
      assert.ok(startupMs > 50 && startupMs < 10_000, `first frame after ${startupMs} ms`);
      const segments = ofKind(used.records, 'segment');
      const last = ofKind(used.records, 'video').at(-1)!;
      assert.ok(
        segments.at(-1)!.rung > segments[0]!.rung,
        `from rung ${segments[0]!.rung} to ${segments.at(-1)!.rung}`,
      );
      assert.equal(
        last.receivedBytes,
        segments.reduce((sum, { bytes }) => sum + bytes, 0),
      );
      assert.ok(last.presentedFrames > 150 && last.positionS > 6, JSON.stringify(last));
      assert.ok(last.bufferS > 4 && last.rung !== null);
      const connections = given.connections ?? 1;
      const { length } = used.transport!.flows; // a playlist that is fetched meanwhile may take another
      assert.ok(length >= connections && length <= 2 * connections, `${length} flows`);
      assert.deepEqual(controls(used), [given.congestionControl ?? 'cubic']);
      assert.deepEqual(used.description['nextHopProtocols'], [given.protocol ?? 'http/1.1']);
      assert.equal(used.transport!.label.startsWith('QUIC '), given.protocol === 'h3');
      for (const { quic } of used.transport!.flows)
        assert.ok(
          quic === undefined || (quic.rttMs > 0 && quic.sentPackets > 1000 && quic.congestionWindowBytes > 2400),
          JSON.stringify(quic),
        );
      await isGone();
    });
  }

  test('a stall is seen while it lasts, and told when it is over', async () => {
    const used = await useService(
      lease,
      network,
      'abr-video',
      { congestionControl: 'cubic', buffer: '8s', topRate: '400kbit' },
      28,
      async () => {
        await shapedLink.set(tcLink(60e3, { unit: 'packets', value: 20 }), 1); // less than the lowest rung needs
        setTimeout(() => void shapedLink.set(tcLink(linkBps, { unit: 'packets', value: 256 }), 1), 14_000);
      },
    );
    const seen = ofKind(used.records, 'video');
    assert.ok(
      seen.some(({ stalls, stalledMs }) => stalls > 0 && stalledMs > 1000),
      JSON.stringify(seen.at(-1)),
    );
    const [stall] = ofKind(used.records, 'stall');
    assert.ok(stall !== undefined && stall.durationMs > 1000, JSON.stringify(stall));
  });

  for (const page of ['text', 'news', 'grid']) {
    test(`a web page, ${page}: loaded again and again, its times in order`, async () => {
      const used = await use('web-page', { page, congestionControl: 'cubic', gap: '200ms' }, 6);
      const loads = ofKind(used.records, 'load').filter(({ isCutOff }) => isCutOff !== true);
      assert.ok(loads.length >= 2, `${loads.length} loads`);
      for (const { loadMs, firstContentMs, aboveTheFoldMs, speedIndexMs, bytes } of loads) {
        const lastMs = loadMs! + 1500;
        assert.ok(
          firstContentMs! > 0 && loadMs! > 0 && aboveTheFoldMs! > 0 && aboveTheFoldMs! < lastMs && bytes > 100_000,
          JSON.stringify(loads),
        );
        // a mean of what the 95th percentile is of: above it only by the last twentieth
        assert.ok(
          speedIndexMs! > 0 && speedIndexMs! <= aboveTheFoldMs! + 0.05 * (lastMs - aboveTheFoldMs!),
          JSON.stringify(loads),
        );
      }
      assert.deepEqual(controls(used), ['cubic']);
      assert.equal(ofKind(used.records, 'page').at(-1)!.failedLoads, 0);
      await isGone();
    });
  }

  test('a player that stalls and a page that does not load are given up', async () => {
    const slow = () => shapedLink.set(tcLink(60e3, { unit: 'packets', value: 20 }), 1);
    const failure = (message: RegExp) => (error: unknown) =>
      error instanceof CoexistError && error.code === 'service-failed' && message.test(error.message);
    try {
      await assert.rejects(
        useService(
          lease,
          network,
          'abr-video',
          { congestionControl: 'cubic', buffer: '8s', patience: '2s' },
          30,
          async () => {
            await slow();
          },
        ),
        failure(/^the video has stalled for [23] s$/),
      );
      await assert.rejects(
        use('web-page', { page: 'grid', congestionControl: 'cubic', patience: '3s' }, 1),
        failure(/^the web page did not load within 3 s$/),
      );
    } finally {
      await shapedLink.set(tcLink(linkBps, { unit: 'packets', value: 256 }), 1);
    }
    await isGone();
  });

  test('a service that never starts ends as a clear error', async () => {
    await network.hosts.client.run(['ip', 'route', 'del', 'default']);
    try {
      await assert.rejects(use('download', { congestionControl: 'reno' }, 1), (error: unknown) => {
        assert.ok(error instanceof CoexistError && error.exitStatus === 3, String(error));
        assert.match(error.message, /could not open the download's page/);
        return true;
      });
    } finally {
      await network.hosts.client.run(['ip', 'route', 'add', 'default', 'via', '10.0.2.1']);
    }
    await isGone();
  });
});
