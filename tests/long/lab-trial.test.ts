/** A study over machines that are reached by ssh: its record, what it leaves, and what is left where one is lost. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { until } from '../../core/system/deadline.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { presentedSeries } from '../../harness/record/series/frames.presented.ts';
import { pingSeries } from '../../harness/record/series/ping.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { whyNoBbr3 } from '../e2e/support/bbr3.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { Place } from '../e2e/support/run-command.ts';
import { type MachineName, noLab, SshLab } from './support/ssh-lab.ts';

const rateBps = 20e6;
const definition = {
  title: 'Two flows over machines',
  question: 'Who has what?',
  source: 'own',
  link: { rate: '20mbit', rtt: '20ms', queue: { limit: '100packets' } },
  applications: {
    tcp: { service: { id: 'iperf', congestionControl: 'cubic' } },
    udp: { service: { id: 'udp-flow', rate: '2mbit' } },
  },
  run: { window: '4s', retries: 2, pcap: true },
};
const stream = {
  applications: {
    service: { service: { id: 'live-clip', width: 320, height: 180, frameRate: 30, clipLength: '1s' } },
    flood: { service: { id: 'iperf', congestionControl: 'bbr3' } },
  },
  run: { window: '4s', startUp: '3s', retries: 2 },
};
const noBbr3 = await whyNoBbr3();
const machines: readonly MachineName[] = ['shaper', 'left', 'right', 'left-2', 'right-2'];

describe('a study over ssh', { skip: noLab }, () => {
  let lab: SshLab;
  const places: Place[] = [];
  before(async () => {
    lab = await SshLab.build(2);
  });
  after(async () => {
    for (const place of places) place.remove();
    await lab?.remove();
  });
  beforeEach(() => lab.waitUntilEmpty(10_000));

  const start = (changes: object = {}, hosts = lab.hostsFile()) => {
    const place = new Place();
    places.push(place);
    const file = join(place.path, 'study.json');
    writeFileSync(file, JSON.stringify({ ...definition, ...changes }));
    const words = ['experiment', file, '--hosts', hosts, '--out', place.out];
    return { place, session: place.start(words, {}, lab.onDesk) };
  };

  /** What a trial could change on a machine. */
  async function stateOf(name: MachineName): Promise<string> {
    const host = lab.machine(name);
    const said = async (...argv: string[]) => (await host.run(argv, { allowFailure: true })).stdout;
    const features = await said('sh', '-c', 'for d in test0 test1 test2 test3; do ethtool -k $d 2>/dev/null; done');
    const parts = [
      await said('sh', '-c', 'cat /proc/sys/net/ipv4/conf/*/rp_filter'),
      await said('sh', '-c', 'grep -s "" /proc/sys/net/ipv4/tcp_* /proc/sys/net/ipv4/ip_* /proc/sys/net/ipv4/icmp_*'),
      await said('sh', '-c', 'cat /proc/sys/net/ipv4/conf/*/*_redirects'),
      features
        .split('\n')
        .filter(line => /offload|checksum|scatter/.test(line))
        .join('\n'),
      await said('ls', '/proc/sys/net/ipv4/conf'),
      await said('ip', '-4', '-o', 'address', 'show'),
      await said('ip', 'rule', 'show'),
      await said('ip', '-4', 'route', 'show', 'table', 'all'),
      await said('tc', 'qdisc', 'show'),
    ];
    return parts.join('\n--\n');
  }
  const states = () => Promise.all(machines.map(stateOf));
  const folders = () => readdirSync('/dev/shm').filter(name => name.startsWith('coexist-'));
  /** Other tests may run beside this one, and have folders of their own. */
  const noFolderBut = (earlier: readonly string[]) =>
    until(() => (folders().every(name => earlier.includes(name)) ? true : undefined), 5000, 'the folders to be gone');

  test('its record is that of any trial, says who the hosts were, and nothing is left', async context => {
    const [before, earlier] = [await states(), folders()];
    const { place, session } = start();
    const { status, stdout, stderr } = await session.finish(240_000);
    const disturbed = status === 3 ? disturbedBy(place.out, ['0001-all']) : undefined;
    assert.ok(status === 0 || disturbed !== undefined, stdout + stderr);
    await lab.waitUntilEmpty(5000);
    assert.deepEqual(await states(), before);
    await noFolderBut(earlier);

    const folder = RunFolder.open(place.out);
    // what a busy machine spoils is how fast it goes
    const id = disturbed === undefined ? '0001-all' : '0001-all.void1';
    const trial = folder.trialFile(id);
    assert.equal(trial.backend, 'emulator');
    assert.deepEqual(
      trial.hosts!.map(({ name, role, clock }) => [name, role, clock.over]),
      [
        ['shaper', 'router', 'test network'],
        ['left', 'left', 'ssh'],
        ['left-2', 'left', 'ssh'],
        ['right', 'right', 'ssh'],
        ['right-2', 'right', 'ssh'],
      ],
    );
    for (const { name, kernel, iperf3, node, sent, clock, load } of trial.hosts!) {
      assert.ok(load.busyShare > 0 && load.busyShare <= 1, `${name}: ${load.busyShare}`);
      assert.match(kernel, /^\d+\.\d+/, name);
      assert.match(iperf3!, /^iperf 3/, name);
      assert.equal(node, process.versions.node);
      assert.ok(clock.uncertaintyMs > 0 && clock.uncertaintyMs < 20, `${name}: ${clock.uncertaintyMs} ms`);
      // one clock in truth, read by each process from an origin that it took at its start
      assert.ok(Math.abs(clock.offsetMs) <= clock.uncertaintyMs + 5, `${name}: ${clock.offsetMs} ms`);
      assert.equal(
        sent.some(file => file.endsWith('-coexist-link')),
        name === 'shaper',
        name,
      );
    }
    const [tcp, udp] = trial.applications;
    assert.equal(tcp!.transport!.label, 'CUBIC');
    assert.deepEqual(
      [tcp!.addresses, udp!.addresses],
      [
        { server: '10.77.1.2', client: '10.77.2.2' },
        { server: '10.77.3.2', client: '10.77.2.3' },
      ],
    );
    const bps = (name: string) => {
      const { before: first, after: last } = trial.applications.find(one => one.name === name)!.received!;
      return ((last.bytes - first.bytes) * 8000) / (last.timeMs - first.timeMs);
    };
    // the log was written by the clock of the router, and its times are those of the harness
    const { windowStartMs, endMs, preparedMs } = trial.phases!;
    const { firstMs, lastMs } = tcp!.packets!;
    assert.ok(firstMs > preparedMs && firstMs < windowStartMs && lastMs < endMs + 1000, `${firstMs} ${lastMs}`);
    assert.ok(trial.queueLog!.records > 1000 && trial.queueLog!.lostRecords === 0);
    assert.ok(trial.capture!.packets > 1000);
    assert.ok(existsSync(join(folder.trialFolder(id), 'bottleneck.pcap')));
    const record = new TrialRecord(trial, folder.trialFolder(id));
    const pings = (await record.read(pingSeries)).filter(({ rttMs }) => rttMs !== null);
    assert.ok(pings.length > 5);
    for (const { timeMs, rttMs } of pings) assert.ok(rttMs! > 19 && timeMs > preparedMs && timeMs < endMs, `${timeMs}`);
    if (disturbed !== undefined) return context.skip(disturbed);
    assert.ok(bps('tcp') > 0.6 * rateBps && bps('tcp') < rateBps, `tcp ${bps('tcp')}`);
    assert.ok(bps('udp') > 1.5e6 && bps('udp') < 2.5e6, `udp ${bps('udp')}`);
  });

  test('a stream into a browser, beside BBRv3, leaves nothing', { skip: noBbr3 ?? false }, async context => {
    const [before, earlier] = [await states(), folders()];
    const { place, session } = start(stream);
    const { status, stdout, stderr } = await session.finish(300_000);
    const disturbed = status === 3 ? disturbedBy(place.out, ['0001-all']) : undefined;
    assert.ok(status === 0 || disturbed !== undefined, stdout + stderr);
    await lab.waitUntilEmpty(5000);
    assert.deepEqual(await states(), before);
    await noFolderBut(earlier);
    assert.equal(await whyNoBbr3(), undefined, 'the machine has taken BBRv3 out of its kernel');
    if (disturbed !== undefined) return context.skip(disturbed);

    const folder = RunFolder.open(place.out);
    const trial = folder.trialFile('0001-all');
    const record = new TrialRecord(trial, folder.trialFolder('0001-all'));
    const { windowStartMs, windowEndMs } = trial.phases!;
    const inWindow = ({ presentationMs }: { presentationMs: number }) =>
      presentationMs >= windowStartMs && presentationMs < windowEndMs;
    const shown = (await record.read(presentedSeries)).filter(inWindow);
    assert.ok(shown.length > 60, `${shown.length} frames in 4 s`);
    assert.ok((await record.sentFrames()).length > 60, 'what the media server has written was brought here');
    const sent = trial.queueLog!.traffic.find(
      ({ application, protocol }) => application === 'service' && protocol === 17,
    )!;
    assert.ok(sent.sentBytes > 200_000, `${sent.sentBytes} bytes of its media at the bottleneck: it took another way`);
    const { label, loaded, flows } = record.as('flood').own!.transport!;
    assert.equal(label, 'BBRv3 (draft-ietf-ccwg-bbr)');
    assert.equal(loaded!.loadedForThis, true);
    assert.ok(flows[0]!.model!.rounds > 10);
    const given = (name: string) => trial.hosts!.find(one => one.name === name)!.sent;
    assert.ok(given('left').some(file => file.endsWith('-tree')));
    assert.ok(given('left-2').some(file => file.endsWith('-coexist-bbr3')));
    assert.ok(given('right').some(file => file.endsWith('-there-main.mjs')));
  });

  test('the device of ssh, and what somebody else has put on the router, are left alone', async () => {
    const overSsh = lab.hostsFile({ left: { devices: [{ device: 'manage', address: '10.201.0.2' }] } });
    const refused = async (hosts: string, message: RegExp) => {
      const { session } = start({}, hosts);
      const { status, stderr } = await session.finish(60_000);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
      await lab.waitUntilEmpty(5000);
    };
    await refused(overSsh, /^machine "left": ssh comes over manage, which is on the test network$/m);
    const shaper = lab.machine('shaper');
    await shaper.run(['tc', 'qdisc', 'add', 'dev', 'test2', 'root', 'pfifo', 'limit', '77']);
    try {
      const before = await states();
      await refused(
        lab.hostsFile(),
        /^machine "shaper": test2 has the queue discipline pfifo, which somebody has set$/m,
      );
      assert.deepEqual(await states(), before);
    } finally {
      await shaper.run(['tc', 'qdisc', 'del', 'dev', 'test2', 'root']);
    }
  });

  test('a machine that is lost makes the trial void, and all machines are put back', async () => {
    const [before, earlier] = [await states(), folders()];
    const { place, session } = start({ run: { ...definition.run, window: '30s' } });
    const iperf = () => lab.running('left').find(({ line }) => line.startsWith('iperf3 -c'));
    await until(() => iperf(), 60_000, 'iperf3 to run');
    const agent = lab.running('left').find(({ line }) => /^\S+\/node -e /.test(line))!;
    process.kill(agent.pid, 'SIGKILL');
    const { status, stderr } = await session.finish(120_000);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /machine "left": the connection was lost/);
    const { verdict } = RunFolder.open(place.out).trialFile('0001-all.void1');
    assert.equal(verdict.status, 'invalid');
    assert.ok(
      verdict.findings.some(({ message }) => message.startsWith('machine "left": the connection was lost')),
      JSON.stringify(verdict.findings),
    );
    await lab.waitUntilEmpty(20_000);
    assert.deepEqual(await states(), before);
    await noFolderBut(earlier);
  });

  test('a harness that is killed leaves nothing on any machine', async () => {
    const [before, earlier] = [await states(), folders()];
    const { session } = start({ run: { ...definition.run, window: '30s' } });
    await until(() => lab.running('left').find(({ line }) => line.startsWith('iperf3 -c')), 60_000, 'iperf3 to run');
    assert.notDeepEqual(await states(), before);
    session.process.kill('SIGKILL');
    await session.ended;
    await lab.waitUntilEmpty(20_000);
    assert.deepEqual(await states(), before);
    await noFolderBut(earlier);
  });
});
