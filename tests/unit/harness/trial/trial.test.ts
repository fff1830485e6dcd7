import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import type { TrialFile } from '../../../../harness/record/trial-file.ts';
import type { Proof } from '../../../../harness/trial/link-proof.ts';
import { clearMs } from '../../../../harness/trial/sample-times.ts';
import type { HostReading } from '../../../../shaper/topology/topology.ts';
import { temporaryFolder } from '../support/folder.ts';
import { answerMs, delayMs, type Fault, interruption, Life, lifeFolder, settleMs, windowMs } from './support/life.ts';

const folder = temporaryFolder();
let lives = 0;
const life = (fault?: Fault) => new Life(lifeFolder(folder, ++lives), fault);
const reasons = ({ verdict: { findings } }: TrialFile) => findings.map(({ message }) => message).join('; ');

test('an application may have several clients: all are watched, counted and named in the record', async () => {
  const all = life();
  const watched: string[] = [];
  const file = await all.run(all.withFurtherClients('call', 2, watched));
  assert.equal(file.verdict.status, 'valid', reasons(file));
  assert.deepEqual(file.applications[0]!.addresses, {
    server: '10.0.3.2',
    client: '10.0.2.2',
    furtherClients: ['10.0.2.100', '10.0.2.101'],
  });
  assert.ok(!('furtherClients' in file.applications[1]!.addresses));
  assert.deepEqual(watched.slice(0, 5), ['router', 'left-1', 'right-1', 'further-1', 'further-2']);
  assert.deepEqual(
    Object.keys(file.cpuRatio!).filter(name => name.startsWith('call')),
    ['call server', 'call client', 'call client 2', 'call client 3'],
  );
});

test('each bottleneck of the link has a capture, and further routers of the network have none', async () => {
  const all = life();
  const started: string[] = [];
  /** Runs a trial over two of three routers. `failing`: capture that cannot be stopped. */
  const over = (failing?: string) =>
    all.run(({ link, network, probes }) => {
      const { further: _, paths: __, ...hop } = link;
      const [first] = network.hops;
      return {
        link: { ...link, further: [hop] },
        network: { ...network, hops: [1, 2, 3].map(k => ({ ...first!, bottleneckDevice: `toClient-${k}` })) },
        probes: {
          ...probes!,
          capture: async ({ bottleneckDevice }, path) => {
            started.push(`${bottleneckDevice}: ${basename(path)}`);
            const packets = started.length;
            return {
              failed: new Promise<never>(() => {}),
              stop: async () => {
                if (bottleneckDevice === failing) throw new CoexistError('service-failed', 'no end');
                return { packets, drops: 0 };
              },
            };
          },
        },
      };
    });
  const first = { file: 'bottleneck.pcap', packets: 1, drops: 0 };
  const file = await over();
  assert.deepEqual(started, ['toClient-1: bottleneck.pcap', 'toClient-2: bottleneck-2.pcap']);
  assert.deepEqual(file.capture, { ...first, further: [{ file: 'bottleneck-2.pcap', packets: 2, drops: 0 }] });
  started.length = 0;
  const broken = await over('toClient-2');
  assert.deepEqual(broken.capture, first);
  assert.match(reasons(broken), /no end/);
});

test('each begins and ends exactly at its time, and no reading of all is near one', async () => {
  const all = life();
  const file = await all.run();
  assert.equal(file.verdict.status, 'valid', reasons(file));
  assert.deepEqual([...all.running], []);
  const { windowStartMs, windowEndMs } = file.phases!;
  assert.equal(windowEndMs - windowStartMs, windowMs);
  const of = (name: string) => file.applications.find(one => one.name === name)!;
  assert.deepEqual(
    [of('brief').startMs, of('brief').stopMs, of('late').startMs].map(timeMs => timeMs! - windowStartMs),
    [0, 2000, 2950],
  );
  assert.equal(of('ahead').readyMs! + 300 <= of('call').startMs!, true);
  assert.equal(of('brief').startMs! > all.times('brief is armed')[0]!, true);
  // the bottleneck is read exactly at the ends of the window; the applications are read on both sides of each end
  const ofWindow = (what: string) =>
    all
      .times(what)
      .map(timeMs => timeMs - windowStartMs)
      .filter(offsetMs => offsetMs > -1000);
  assert.deepEqual(ofWindow('counters').slice(0, -1), [answerMs, 1000, 2100, 3050, windowMs]);
  assert.deepEqual(ofWindow('call tells'), [
    -250,
    100,
    ...[1000, 2100, 3050].map(ms => ms + answerMs),
    windowMs + 2 * answerMs,
  ]);
  assert.deepEqual(
    ofWindow('received')
      .slice(1) // the reading before the first application
      .map(offsetMs => Math.sign(offsetMs)),
    [-1, 1, 1],
  );
  const planned = [0, 2000, 2950];
  for (const offsetMs of ofWindow('call tells'))
    assert.ok(
      planned.every(plannedMs => Math.abs(plannedMs - offsetMs) >= clearMs),
      `${offsetMs} ms`,
    );
  assert.deepEqual(
    file.applications.map(({ facts, received }) => [facts, received!.after.timeMs > received!.before.timeMs]),
    Array.from({ length: 4 }, () => [{ stand: 'in' }, true]),
  );
});

test('what pauses does so at its times, which the record has, and no reading is near them', async () => {
  const all = life();
  const pauses = [{ fromMs: 950, toMs: 2000 }];
  const file = await all.run(({ applications }) => ({
    applications: applications.map(one =>
      one.application.name === 'ahead' ? { ...one, application: { ...one.application, pauses } } : one,
    ),
  }));
  assert.equal(file.verdict.status, 'valid', reasons(file));
  const { windowStartMs } = file.phases!;
  const [pause] = file.applications.find(({ name }) => name === 'ahead')!.pauses!;
  assert.deepEqual(
    [pause!.startMs, pause!.endMs!].map(timeMs => timeMs - windowStartMs),
    [950, 2000].map(ms => ms + answerMs),
  );
  assert.equal(file.applications.filter(one => one.pauses !== undefined).length, 1);
  for (const timeMs of all.times('ahead tells'))
    for (const atMs of [950, 2000]) assert.ok(Math.abs(timeMs - windowStartMs - atMs) >= clearMs, `${timeMs}`);
});

test('a trial without an answer to any ping is void, and says why', async () => {
  const silent = life();
  silent.hasPings = false;
  const file = await silent.run();
  assert.equal(file.verdict.status, 'invalid');
  assert.match(reasons(file), /^ping\.jsonl is empty: no answer to a ping came in the whole trial/);
});

test('what has a time of its own is made ready before anything is in use: the start of a browser holds up others', async () => {
  const slow = life({ at: 'late is armed', does: 'delay' });
  const file = await slow.run();
  const armedMs = slow.times('late is armed')[0]! + delayMs + answerMs;
  assert.deepEqual(
    ['ahead opens', 'call opens'].filter(what => slow.times(what)[0]! < armedMs),
    [],
  );
  // the window begins `settleMs` after the last application is in use, and after all were read
  assert.equal(file.phases!.windowStartMs - file.phases!.readyMs, settleMs);
  assert.equal(slow.times('counters')[0]! - file.phases!.windowStartMs, answerMs);
});

test('applications describe themselves at one time', async () => {
  const all = life();
  const { phases } = await all.run();
  const times = ['call', 'ahead', 'late'].map(name => all.times(`${name} describes itself`).at(-1)!);
  assert.equal(new Set(times).size, 1);
  assert.ok(times[0]! > phases!.windowEndMs);
});

/** Calls that a trial makes to its parts before its end, in order. */
const steps = [
  'the link is cleared',
  'the network is checked',
  'the link is proved',
  'the link is set',
  'the link is verified',
  'received',
  'the capture starts',
  'brief is armed',
  'late is armed',
  'ahead opens',
  'call opens',
  'call tells',
  'the link starts',
  'brief opens',
  'counters',
  'brief tells',
  'brief describes itself',
  'brief stops',
  'late opens',
  'call describes itself',
];
const endings = ['call stops', 'ahead stops', 'late stops', 'ping stops', 'the capture stops', 'the log ends'];

describe('what fails makes the trial void, names itself, and leaves nothing running', () => {
  for (const at of [...steps, ...endings])
    test(at, async () => {
      const failing = life({ at, does: 'fail' });
      const file = await failing.run();
      assert.equal(file.verdict.status, 'invalid');
      assert.match(reasons(file), new RegExp(`${at}: it cannot`));
      // only a part that could not be stopped may be left
      const left = [...failing.running];
      assert.deepEqual(
        left,
        left.filter(() => endings.includes(at) || at === 'brief stops').slice(0, 1),
        `${left.join(', ')} after ${at} failed`,
      );
    });
});

describe('an interruption in any phase is thrown when everything has stopped', () => {
  for (const at of steps)
    test(at, async () => {
      const interrupted = life({ at, does: 'interrupt' });
      await assert.rejects(interrupted.run(), interruption);
      assert.deepEqual([...interrupted.running], []);
    });
});

describe('an interruption while the parts are stopped takes nothing from a trial that was measured', () => {
  for (const at of endings)
    test(at, async () => {
      const interrupted = life({ at, does: 'interrupt' });
      assert.equal((await interrupted.run()).verdict.status, 'valid');
      assert.deepEqual([...interrupted.running], []);
    });
});

describe('a part that never answers is given up, and the others are stopped', () => {
  for (const [at, reason] of [
    ['call stops', /timed out after 30 s waiting for call to stop/],
    ['brief stops', /timed out after 30 s waiting for brief to stop/],
    ['late is armed', /timed out after 180 s waiting for late to be ready to begin/],
    ['call opens', /timed out after 180 s waiting for call to be ready/],
    ['ping stops', /timed out after 60 s waiting for ping to stop/],
    ['the capture stops', /timed out after 1800 s waiting for the capture to stop/],
    ['the log ends', /timed out after 1800 s waiting for the log of the queue to end/],
    ['the network is checked', /timed out after 60 s waiting for the network to be checked/],
    ['the link is proved', /timed out after 300 s waiting for the proof of the link/],
    ['the capture starts', /timed out after 300 s waiting for the capture to start/],
    ['the link is set', /timed out after 300 s waiting for the link to be set/],
    ['the link starts', /timed out after 60 s waiting for the link to start/],
    ['counters', /timed out after 60 s waiting for the counters of the link/],
    ['received', /timed out after 60 s waiting for what the clients have received/],
  ] as const)
    test(at, async () => {
      const hanging = life({ at, does: 'hang' });
      const file = await hanging.run();
      assert.equal(file.verdict.status, 'invalid');
      assert.match(reasons(file), reason);
      const left = {
        'call stops': 'call opens',
        'brief stops': 'brief opens',
        'ping stops': 'ping',
        'the capture stops': 'the capture starts',
        'the log ends': 'the link is set',
      }[at as string];
      assert.deepEqual([...hanging.running], left === undefined ? [] : [left]);
    });
});

describe('a part that dies in the middle of the window ends the trial at once', () => {
  for (const part of ['the link', 'call', 'ahead', 'brief', 'ping', 'the capture'])
    test(part, async () => {
      const dying = life();
      dying.die(part, 1500);
      const file = await dying.run();
      assert.equal(file.verdict.status, 'invalid');
      assert.match(reasons(file), new RegExp(`${part} has ended in the middle`));
      assert.deepEqual([...dying.running], []);
      assert.equal(file.phases, null);
      assert.deepEqual(dying.times('late opens'), [], 'what was to begin later never does');
    });
});

test('a link that is not what was asked for is not used', async () => {
  const refused = life();
  const finding = { kind: 'link', status: 'invalid', message: 'the rate is wrong' } as const;
  const file = await refused.run({
    prove: async () => ({
      reading: { status: 'refused', summary: '', earlier: false, durationMs: 1, readings: [] },
      findings: [finding],
    }),
  });
  assert.deepEqual(file.verdict, { status: 'invalid', findings: [finding] });
  assert.deepEqual([refused.times('the link is set'), [...refused.running]], [[], []]);
});

test('a link is proved once, and what disturbs a trial on it is not said of the next one', async () => {
  const note = { kind: 'link', status: 'note', message: 'the link has a note' } as const;
  const proof: Proof = {
    reading: { status: 'passed', summary: '', earlier: false, durationMs: 1, readings: [] },
    findings: [note],
  };
  const prove = async () => proof;
  const received = async () => Array.from({ length: 4 }, () => ({ timeMs: 0, bytes: 0, packets: 0 }));
  const disturbed = await life().run({ prove, received });
  assert.equal(disturbed.verdict.status, 'invalid');
  assert.match(reasons(disturbed), /^the link has a note; call got .* MB, of which 0\.0 MB at most came over the link/);
  assert.deepEqual((await life().run({ prove })).verdict, { status: 'valid', findings: [note] });
});

test('a note says what is missing where the link is the network around the command', async () => {
  const outside = life();
  outside.backend = 'outside';
  const { verdict, backend } = await outside.run();
  assert.deepEqual([backend, verdict.status, verdict.findings.length], ['outside', 'valid', 1]);
  assert.match(verdict.findings[0]!.message, /^the link was the network around the command: there is no queue log, /);
});

test('a machine that was suspended in the trial voids it', async () => {
  for (const [sleptMs, status] of [
    [100, 'valid'],
    [3000, 'invalid'],
  ] as const) {
    const all = life();
    all.sleptMs = sleptMs;
    const file = await all.run();
    assert.equal(file.verdict.status, status);
    if (status === 'invalid') assert.equal(reasons(file), 'the machine slept for 3 s');
  }
});

const otherMachine = (uncertaintyMs: number, busyShare = 0.2): HostReading => ({
  name: 'shaper',
  role: 'router',
  devices: [{ device: 'eth1', address: '10.77.1.1' }],
  kernel: '6.18',
  architecture: 'x86_64',
  distribution: 'Debian',
  processor: 'some',
  cores: 2,
  node: '24',
  iperf3: null,
  iproute2: null,
  ethtool: null,
  sent: [],
  load: { busyShare, stolenCores: 0.01 },
  clock: { over: 'ssh', offsetMs: 7, uncertaintyMs, driftPpm: null },
});

test('hosts that are other machines are in the record; unknown clocks and busy machines void it', async () => {
  for (const [uncertaintyMs, busyShare, reason] of [
    [0.2, 0.2, undefined],
    [25, 0.2, 'the clocks agree to 25.0 ms only'],
    [0.2, 0.97, 'machine "shaper" was 97 % busy'],
  ] as const) {
    const all = life();
    const hosts = [otherMachine(uncertaintyMs, busyShare)];
    const file = await all.run({ network: { ...all.network, describe: async () => hosts } });
    assert.deepEqual(file.hosts, hosts);
    assert.equal(file.verdict.status, reason === undefined ? 'valid' : 'invalid', reasons(file));
    if (reason !== undefined) assert.equal(reasons(file), reason);
  }
  assert.equal('hosts' in (await life().run()), false);
});

test('a host that is lost voids the trial with its reason, and everything is stopped', async () => {
  const all = life();
  const failure = Promise.withResolvers<never>();
  all.atWindow(1500, () => failure.reject(new CoexistError('host-lost', 'machine "left": the connection was lost')));
  const file = await all.run({ network: { ...all.network, failed: failure.promise } });
  assert.equal(file.verdict.status, 'invalid');
  assert.match(reasons(file), /^machine "left": the connection was lost/);
  assert.deepEqual([...all.running], []);
});
