/** A live URL, for real but for the Internet, which is the test's own (support/own-machine.ts). */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../../core/system/deadline.ts';
import type { ServiceRecord } from '../../harness/record/series/service.ts';
import { hashesOf } from '../../harness/record/software.ts';
import { trafficOf } from '../../harness/record/traffic.ts';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import { sideNames } from '../../harness/studies/pairs/sides.ts';
import { connecting, tellInSandbox } from '../e2e/support/in-browsers-sandbox.ts';
import { cannotRun, namespacesOf, Place, type Session } from '../e2e/support/run-command.ts';
import {
  at,
  closed,
  delayMs,
  gateway,
  hasNft,
  noFirewall,
  OwnMachine,
  own,
  privateAddress,
  server,
} from './support/own-machine.ts';

const skip = cannotRun ?? noFirewall;
const net = new OwnMachine();
const { machine } = net;
before(() => (skip === undefined ? net.open() : undefined));
after(() => net.close());

function describeService(place: Place, name: string, service: object): string {
  const path = join(place.path, `${name}.json`);
  writeFileSync(path, JSON.stringify({ name, title: name.toUpperCase(), service: { id: 'live-url', ...service } }));
  return path;
}

const set = [
  'window=4s',
  'warmUp=2s',
  'coolDown=1s',
  'stopping=fixed',
  'repeats=1',
  'soloRepeats=1',
  'preflight=false',
  'retries=6',
].flatMap(words => ['--set', `run.${words}`]);
const argumentsOf = (place: Place, services: string) => [
  'pairs',
  '--services',
  services,
  '--link',
  '4mbit',
  ...set,
  '--out',
  place.out,
];

/** `start` begins a command on the "machine". */
async function inPlace(body: (place: Place, start: (args: string[]) => Session) => Promise<void>): Promise<void> {
  const place = new Place();
  const sessions: Session[] = [];
  const start = (args: string[]) => {
    const session = place.start(args, {}, net.inside);
    sessions.push(session);
    return session;
  };
  try {
    await body(place, start);
  } finally {
    for (const session of sessions) session.process.kill('SIGKILL'); // one that still runs, where the test has failed
    await place.start(['clean'], {}, net.inside).finish();
    place.remove();
  }
}

const trialFile = (place: Place, name: string) =>
  JSON.parse(readFileSync(join(place.out, 'trials', name, 'trial.json'), 'utf8')) as TrialFile;
const account = (place: Place, name: string, side: string) =>
  readFileSync(join(place.out, 'trials', name, 'applications', side, 'service.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as ServiceRecord);

describe('a live URL', { skip }, () => {
  test('is used by a script beside an isolated service; its bytes come through the bottleneck and are its own; nothing is left', context =>
    inPlace(async (place, start) => {
      const script = join(place.path, 'press.mjs');
      writeFileSync(
        script,
        'export default async (page, { signal }) => { signal.throwIfAborted(); await page.click("button"); ' +
          'await page.waitForFunction("document.querySelector(\'video\').currentTime > 0"); };\n',
      );
      const clicked = describeService(place, 'clicked', { url: 'http://www.live.test/quiet', script });
      const { status, stdout, stderr } = await start([
        ...argumentsOf(place, `${clicked},iperf-reno`),
        '--trust-scripts',
      ]).finish(230_000);
      assert.equal(status, 0, stdout + stderr);

      const pair = trialFile(place, '4mbit-clicked-and-iperf-reno-001');
      const {
        applications: [live],
        bottleneck,
        phases,
      } = pair;
      const windowS = (phases!.windowEndMs - phases!.windowStartMs) / 1000;
      assert.deepEqual(pair.software?.files, hashesOf([script]), 'what ran is on record');
      assert.ok(pair.queueLog !== null, 'this machine keeps no log of the queue');
      const [liveBps, otherBps] = sideNames.map(name => (trafficOf(pair, name)!.sentBytes * 8) / windowS);
      const allBps =
        ((bottleneck!.after.sentBytes - bottleneck!.before.sentBytes) * 8000) /
        (bottleneck!.after.timeMs - bottleneck!.before.timeMs);
      assert.ok(
        liveBps! > 0.2e6 && otherBps! > 0.2e6 && Math.abs((liveBps! + otherBps!) / allBps - 1) < 0.1,
        `${liveBps} and ${otherBps} of ${allBps} bit/s`,
      );
      const aloneBps = (trafficOf(trialFile(place, '4mbit-clicked-alone-001'), 'first')!.sentBytes * 8) / windowS;
      assert.ok(aloneBps > 3e6 && aloneBps < 4.1e6, `alone it takes ${aloneBps} bit/s of 4 Mbit/s`);

      const { internetRtt } = live!.facts as { internetRtt: { address: string; baseMs: number; timesMs: number[] } };
      assert.equal(internetRtt.address, server);
      assert.equal(internetRtt.timesMs.length, 5);
      assert.ok(
        !net.hasDelay || (internetRtt.baseMs > delayMs && internetRtt.baseMs < delayMs + 15),
        JSON.stringify(internetRtt),
      );
      const told = account(place, '4mbit-clicked-and-iperf-reno-001', 'first');
      const load = told.find(record => record.kind === 'load')!;
      assert.ok(
        load.loadMs! > 2 * (net.hasDelay ? delayMs : 0) && load.firstContentMs !== null && load.bytes > 500,
        JSON.stringify(load),
      );
      const elements = told.filter(record => record.kind === 'element');
      assert.deepEqual([...new Set(elements.map(({ width, height }) => `${width}x${height}`))], ['320x180']);
      assert.ok(
        elements.at(-1)!.positionS > elements[0]!.positionS + 3 && elements.at(-1)!.presentedFrames > 20,
        JSON.stringify(elements.at(-1)),
      );
      const heard = told.filter(record => record.kind === 'audio');
      const [last] = heard.slice(-1);
      assert.ok(
        last !== undefined && last.stream === 1 && last.packetsReceived > 100 && last.totalSamplesReceived > 100_000,
        `the audio of the page's own call: ${JSON.stringify(last)}`,
      );
      assert.ok(
        sideNames.every(name => trafficOf(trialFile(place, '4mbit-clicked-and-clicked-001'), name)!.sentBytes > 50_000),
        'two live services beside each other',
      );
      assert.deepEqual(await net.traces(), []);
      assert.deepEqual(await namespacesOf(place.state), []);
      context.diagnostic(
        JSON.stringify({ liveBps, otherBps, allBps, aloneBps, internetRtt, load, element: elements.at(-1) }),
      );
    }));

  test('a machine that forwards would be found to', async () => {
    assert.deepEqual(await net.forwards(), { inwards: false, outwards: false });
    await at(machine, 'sysctl -qw net.ipv4.conf.eth0.forwarding=1 net.ipv4.conf.inner.forwarding=1');
    try {
      assert.deepEqual(await net.forwards(), { inwards: true, outwards: true });
    } finally {
      await at(machine, 'sysctl -qw net.ipv4.conf.eth0.forwarding=0 net.ipv4.conf.inner.forwarding=0');
    }
  });

  test('without a script it is opened again and again; nobody else gets out; killed with -9, what it left is cleaned', context =>
    inPlace(async (place, start) => {
      const busy = describeService(place, 'busy', { url: 'http://www.live.test/busy', visit: '3s' });
      const session = start([
        ...argumentsOf(place, `${busy},iperf-reno`),
        '--set',
        'run.window=600s',
        '--set',
        'run.warmUp=0s',
      ]);
      await session.printed(/busy-alone-001 {2}1\d of 600 s/, 150_000);
      const [lease] = [...new Set((await namespacesOf(place.state)).map(name => name.split('-')[1]!))];
      const pings = async (namespace: string, address: string) =>
        (await at(namespace, `ping -n -c 1 -W 1 ${address}`).catch(() => null)) !== null;
      const reached = await Promise.all(
        ['right-1', 'right-2', 'left-1', 'left-2', 'router'].map(host => pings(`coexist-${lease}-${host}`, server)),
      );
      assert.deepEqual(
        [[...reached.slice(0, 2)].sort(), reached.slice(2)],
        [
          [false, true],
          [false, false, false],
        ],
        'one client gets out',
      );
      for (const address of [...closed, gateway])
        assert.ok(await pings(machine, address), `the machine reaches ${address}`);
      const out = `coexist-${lease}-${reached[0] === true ? 'right-1' : 'right-2'}`;
      for (const address of [...closed, own, gateway])
        assert.equal(await pings(out, address), false, `whoever gets out does not get to ${address}`);
      assert.deepEqual(await net.forwards(), { inwards: false, outwards: false }, 'nothing else is forwarded');
      const others = ['10.0.1.2', '10.0.3.2'];
      const inner = `coexist-${lease}-${reached[0] === true ? 'right-2' : 'right-1'}`;
      for (const address of others) {
        assert.ok(await pings(inner, address), `other clients get to ${address}`);
        assert.equal(await pings(out, address), false, `whoever gets out does not get to the server ${address}`);
      }
      const places = [server, own, gateway, ...closed, ...others].map(address => [address, 80] as const);
      const taken = await tellInSandbox(out, place.path, connecting(places));
      assert.deepEqual(
        taken.split('\n'),
        ['reached', ...places.slice(1).map(() => 'TimeoutError')],
        'nor does a program in the sandbox of its browser',
      );
      const client = reached[0] === true ? '10.0.2.2' : '10.0.2.3';
      assert.ok(await pings(`coexist-${lease}-left-1`, client), 'but answers when the trial measures the round trip');
      const [running] = readdirSync(join(place.out, 'trials'));
      assert.ok(
        account(place, running!, 'first').filter(record => record.kind === 'load' && record.loadMs !== null).length >=
          2,
      );
      assert.ok((await net.traces()).length >= 3, (await net.traces()).join('\n'));
      session.process.kill('SIGKILL');
      await session.finish(5000);
      assert.ok((await net.traces()).length >= 2, 'the killed study leaves its rules');

      const { stdout, status } = await start(['clean']).finish();
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`removed what 1 killed run left: 6 namespaces, .*uplink cx-${lease}`));
      assert.deepEqual(await net.traces(), []);
      assert.deepEqual(await namespacesOf(place.state), []);
      context.diagnostic(stdout.trim());
    }));

  for (const [what, event, reason, skipped] of [
    [
      'a firewall that is loaded anew',
      'nft flush ruleset',
      /firewall rules that restrict the Internet access of the clients were removed/,
      hasNft ? false : 'needs nftables, whose rules "flush ruleset" removes',
    ],
    [
      'a network that is joined',
      'ip route add 9.9.9.0/24 dev inner',
      /this machine joined 9\.9\.9\.0\/24 while/,
      false,
    ],
  ] as const)
    test(`${what} closes the way at once; that trial is void, and the next one is not`, { skip: skipped }, () =>
      inPlace(async (place, start) => {
        const busy = describeService(place, 'busy', { url: 'http://www.live.test/busy' });
        const long = ['run.window=600s', 'run.warmUp=0s'].flatMap(words => ['--set', words]);
        const session = start([...argumentsOf(place, `${busy},iperf-reno`), ...long]);
        await session.printed(/busy-alone-001 {2}\d+ of 600 s/, 150_000);
        await at(machine, event);
        await until(
          async () => ((await net.traces()).length === 0 ? true : undefined),
          10_000,
          'nothing to be forwarded any more',
        );
        const voided = '4mbit-busy-alone-001.void1';
        const isVoid = () => (existsSync(join(place.out, 'trials', voided)) ? true : undefined);
        await until(isVoid, 60_000, 'the trial to be void');
        const { verdict } = trialFile(place, voided);
        assert.equal(verdict.status, 'invalid');
        assert.match(verdict.findings.map(({ message }) => message).join('\n'), reason);
        session.stdout = session.stderr = '';
        await session.printed(/busy-alone-001 {2}\d+ of 600 s/, 150_000);
        session.process.kill('SIGINT');
        await session.finish();
        assert.deepEqual(await net.traces(), []);
      }),
    );

  for (const [what, url, press, reason] of [
    ['memory', '/memory', '', /of memory/],
    [
      'windows',
      '/quiet',
      'for (let k = 0; k < 1000; k++) await page.evaluate(\'void open("about:blank")\');',
      /windows/,
    ],
    ['downloads', '/downloads', '', /the page began \d+ downloads, and may begin/],
  ] as const) {
    test(`a page that takes ${what} without end voids its trial with that reason, and the next one is unharmed`, () =>
      inPlace(async (place, start) => {
        const script = join(place.path, 'press.mjs');
        writeFileSync(
          script,
          `export default async page => { ${press}; await new Promise(resolve => setTimeout(resolve, 20_000)); };\n`,
        );
        const greedy = describeService(place, 'greedy', { url: `http://www.live.test${url}`, script });
        const busy = describeService(place, 'busy', { url: 'http://www.live.test/busy' });
        const words = [...argumentsOf(place, `${greedy},${busy}`), '--set', 'run.retries=0', '--trust-scripts'];
        const { status, stdout, stderr } = await start(words).finish(200_000);
        assert.equal(status, 3, stdout + stderr);
        const { verdict } = trialFile(place, '4mbit-greedy-alone-001.void1');
        assert.equal(verdict.status, 'invalid');
        assert.match(verdict.findings.map(({ message }) => message).join('\n'), reason);
        assert.match(
          stdout,
          /greedy-and-busy {2}cannot be measured/,
          'what cannot run alone is not tried beside another',
        );
        const [next, ...more] = place.trials().filter(name => name.startsWith('4mbit-busy-'));
        for (const name of [next ?? assert.fail(stdout), ...more]) {
          const failures = trialFile(place, name).verdict.findings.filter(({ kind }) => kind === 'failure');
          assert.deepEqual(failures, [], name); // a busy machine is none
          assert.ok(
            account(place, name, 'first').some(record => record.kind === 'load' && record.loadMs !== null),
            `${name} has loaded its page`,
          );
        }
        assert.deepEqual(await net.traces(), []);
        assert.deepEqual(await namespacesOf(place.state), []);
      }));
  }

  test('what the machine cannot give is one line, before anything is started', () =>
    inPlace(async (place, start) => {
      const refused = async (name: string, url: string) => {
        const { status, stderr } = await start(argumentsOf(place, describeService(place, name, { url }))).finish();
        assert.equal(status, 2, stderr);
        assert.deepEqual(await net.traces(), []);
        return stderr;
      };
      assert.match(
        await refused('silent', `http://${server}:81/`),
        /^service silent: a client behind this machine cannot reach 198\.51\.100\.1 port 81: .*ECONNREFUSED/,
      );
      assert.match(
        await refused('private', `http://${privateAddress}/`),
        /^service private: 192\.168\.77\.1 is an address of a private network, which is closed to live services\n.*--set run\.privateNetworks=true/,
      );
      assert.match(
        await refused('named', 'http://localhost/'),
        /^service named: localhost is 127\.0\.0\.1, an address of a private network, which is closed to live services\n/,
      );
      await at(machine, 'ip route del default');
      assert.match(
        await refused('nowhere', 'http://www.live.test/'),
        /^service nowhere: this machine cannot reach the Internet: it has no default route\n/,
      );
      await at(machine, `ip route add default via ${gateway}`);
    }));
});
