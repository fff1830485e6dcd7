import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as iperf } from '../../../../harness/services/iperf/index.ts';
import { paramsSchema } from '../../../../harness/services/iperf/params.ts';
import { admit, admitApplications, laneCores, laneNeeds } from '../../../../harness/trial/cores.ts';

test('a trial at once for every two cores, and one everywhere', () => {
  for (const [lanes, cores] of [
    [1, 1],
    [1, 2],
    [2, 4],
    [4, 8],
    [7, 15],
  ] as const)
    admit(lanes, 2, cores);
  for (const [lanes, cores] of [
    [2, 2],
    [2, 3],
    [3, 4],
    [9, 16],
  ] as const)
    assert.throws(() => admit(lanes, 2, cores), {
      code: 'usage',
      message: /run\.parallel: \d+ trials at once would disturb each other on \d+ cores/,
    });
});

test('a lane needs what its applications and its link keep busy, and two cores where one does not say', () => {
  const load = (cores: number | null, startMs: number | null = null, stopMs: number | null = null) => ({
    name: 'a',
    cores,
    startMs,
    stopMs,
  });
  const about = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);
  about(laneNeeds([load(0.45)], 0), 0.75);
  about(laneNeeds([load(0.45, null, 5000), load(0.25, 5000)], 0), 0.75);
  about(laneNeeds([load(0.45), load(0.25, 5000)], 0), 1.0625);
  about(laneNeeds([load(1.07)], 0), 1.525);
  about(laneNeeds([load(0.005), load(0.005)], 20e6), 0.2875);
  for (const unknown of [[load(null)], [load(0.1), load(null)], [load(1.5)], [load(1), load(1)]])
    about(laneNeeds(unknown, 0), 2);
});

test('with little to do there are more trials at once, and the message says what one needs', () => {
  admit(2, 0.75, 2);
  admit(1, 2, 1);
  assert.throws(() => admit(3, 0.75, 2), {
    code: 'usage',
    message: 'run.parallel: 3 trials at once would disturb each other on 2 cores',
    hint: 'each needs about 0.8 cores; set run.parallel to at most 2',
  });
});

test('from four cores on the routers have the first for themselves, and each lane its share of the rest', () => {
  assert.equal(laneCores(0, 1, 2), null);
  assert.deepEqual(laneCores(0, 1, 4), { router: [0], others: [1, 2, 3] });
  assert.deepEqual(
    [0, 1].map(lane => laneCores(lane, 2, 6)!.others),
    [
      [1, 3, 5],
      [2, 4],
    ],
  );
});

test('every lane that is admitted has a core', () => {
  const most = (needed: number, cores: number) => {
    for (let lanes = 1; ; lanes++) {
      try {
        admit(lanes + 1, needed, cores);
      } catch {
        return lanes;
      }
    }
  };
  assert.deepEqual(
    [2, 3, 4, 8].map(cores => [0.75, 1.2, 2].map(needed => most(needed, cores))),
    [
      [2, 1, 1],
      [4, 2, 1],
      [3, 2, 2],
      [7, 4, 4],
    ],
  );
  for (let cores = 4; cores <= 64; cores++) {
    const lanes = most(0.75, cores);
    const shares = Array.from({ length: lanes }, (_, lane) => laneCores(lane, lanes, cores)!.others);
    assert.ok(shares.every(share => share.length > 0));
    assert.deepEqual(
      shares.flat().sort((a, b) => a - b),
      Array.from({ length: cores - 1 }, (_, k) => k + 1),
    );
  }
});

test('applications that need more cores than there are at one time are refused, with how many the machine carries', () => {
  const call = (name: string, startMs: number | null = null, stopMs: number | null = null) => ({
    name,
    cores: 0.45,
    startMs,
    stopMs,
  });
  const four = ['a', 'b', 'c', 'd'].map(name => call(name));
  const flood = { name: 'flood', cores: 0, startMs: null, stopMs: null };
  admitApplications('all', [...four, flood], 2);
  assert.throws(() => admitApplications('crowd', [...four, flood, call('late', 5000)], 2), {
    code: 'bad-definition',
    message:
      'condition crowd: applications: 5 at once (a, b, c, d, late) keep about 2.3 cores busy, and this machine has 2, which carry 4',
  });
  const told: string[] = [];
  admitApplications('crowd', [...four, call('late', 5000)], 2, message => void told.push(message));
  assert.match(told.join(), /^condition crowd: applications: 5 at once /);
  admitApplications('one after another', [...four.slice(1), call('early', null, 5000), call('late', 5000)], 2);
  admitApplications('one that is too much', [{ ...call('huge'), cores: 3 }], 2);
});

test('one costly application is let be on any machine, also beside flows', () => {
  const cores = iperf.cores!(paramsSchema.parse({ flows: 64 }));
  const flood = { name: 'flood', cores, startMs: null, stopMs: null };
  admitApplications('flooded', [{ name: 'clip', cores: 1.07, startMs: null, stopMs: null }, flood], 1);
});
