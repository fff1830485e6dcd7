/**
 * Tests the second implementation on records whose values can be computed by hand, and on summaries with other values.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { CoexistError } from '../../../../../core/errors.ts';
import { seededRandom } from '../../../../../core/random.ts';
import { plugin as frameRate } from '../../../../../harness/analysis/metrics/frame-rate/index.ts';
import { plugin as freeze } from '../../../../../harness/analysis/metrics/freeze/index.ts';
import { plugin as stall } from '../../../../../harness/analysis/metrics/stall/index.ts';
import { pythonProgram, recompute } from '../../../../../harness/analysis/verify/recompute.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import {
  capture,
  type Summary,
  truth,
  truthOfOthers,
  truthOfUp,
  writeRun,
} from '../../../../unit/harness/analysis/verify/hand-made.ts';
import { pairTruth, writePairs } from '../../../../unit/harness/analysis/verify/hand-made-pairs.ts';
import { type Row, recomputed, skip, verified, verifierIn } from '../../../../unit/harness/analysis/verify/verifier.ts';

const frameMetrics = [
  'frame-rate',
  'frame-gap-max',
  'frame-gap-max-least',
  'stall-count',
  'stall-time',
  'freeze-count',
  'freeze-time',
];

test('without Python and its packages it says what brings them, with the status of a machine that cannot', () => {
  const directory = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  try {
    assert.equal(pythonProgram(directory), undefined);
    assert.throws(
      () => recompute('x', [], directory),
      (error: CoexistError) => error.exitStatus === 2 && /npm run setup -- verify/.test(error.line),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

describe('a run recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const verify = verifierIn(place);

  test('every headline metric has the value told by hand', async () => {
    const path = join(place, 'headline');
    writeRun(path);
    const { status, stdout, stderr } = await recompute(path, ['--json']);
    assert.deepEqual([status, stderr], [0, '']);
    const { rows } = JSON.parse(stdout) as { rows: Row[] };
    assert.deepEqual(
      rows.filter(({ differs }) => differs),
      [],
    );
    const ofOthers = Object.entries(truthOfOthers).map(
      ([metric, value]) => [`${metric} of the others`, value] as const,
    );
    const ofUp = Object.entries(truthOfUp).map(([metric, value]) => [`${metric} at up`, value] as const);
    for (const [metric, value] of [...Object.entries(truth), ...ofOthers, ...ofUp]) {
      const row = rows.find(one => one.metric === metric && one.place === '0002-beside');
      assert.ok(row !== undefined && row.low !== null && row.high !== null, metric);
      // a packet may lie outside the window
      const slack = metric.startsWith('queue-delay')
        ? 0.11
        : metric === 'marked-share'
          ? 0.002
          : 1e-6 * Math.max(1, value);
      const isNarrow = value >= row.low - slack && value <= row.high + slack && row.high - row.low <= 2 * slack;
      assert.ok(isNarrow, `${metric}: ${row.low} to ${row.high}, by hand ${value}`);
    }
  });

  test('every value of a trial that the summary falsifies is found, and nothing else of the trials', async () => {
    const wrong = {
      'frame-rate': 48.7,
      'stall-count': 0,
      'stall-time': 0.31,
      'freeze-count': 2,
      'freeze-time': 0.25,
      'frame-gap-max': 280,
      'frame-gap-max-least': 290,
      'frame-latency-median': 49.99,
      'frame-latency-p95': 50.01,
      goodput: 1.0001e6,
      'jain-index': 0.8001,
      'rtt-mean': 25.01,
      'rtt-p95': 47,
      'ping-loss': 0,
      loss: 20 / 1000,
      'queue-delay-median': 5.3,
      'queue-delay-p95': 9.8,
      'queue-loss': 0.001,
      'queue-drops': 7,
      'link-utilisation': 0.81,
    };
    const places: string[] = [];
    const { status, differing } = await verify({
      spoil: ({ trials }) => {
        Object.entries(wrong).forEach(([metric, value], i) => {
          const { name, metrics } = trials[i % trials.length]!;
          metrics![metric] = value;
          places.push(`${metric} of ${name}`);
        });
        trials[0]!.together!['goodput'] = 2.999e6;
        places.push(`goodput of the others of ${trials[0]!.name}`);
        trials[0]!.hops.up = { 'queue-drops': 9, 'link-utilisation': 0.21 };
        places.push(`queue-drops at up of ${trials[0]!.name}`, `link-utilisation at up of ${trials[0]!.name}`);
      },
    });
    assert.equal(status, 4);
    assert.deepEqual(differing.filter(name => / of 00/.test(name)).sort(), places.sort());
  });

  test('every statistic that the summary falsifies is found, and nothing else', async () => {
    const wrong: [string, (summary: Summary) => void][] = [
      [
        'made-up of base: median',
        ({ conditions }) => {
          conditions[0]!.metrics['made-up']!.value = 36;
        },
      ],
      [
        'made-up of base: median, high',
        ({ conditions }) => {
          conditions[0]!.metrics['made-up']!.high = 50;
        },
      ],
      [
        'made-up of base: median, coverage',
        ({ conditions }) => {
          conditions[0]!.metrics['made-up']!.confidence = 0.95;
        },
      ],
      [
        'made-up of base: median, n',
        ({ conditions }) => {
          conditions[0]!.metrics['made-up']!.n = 5;
        },
      ],
      [
        'made-up of beside against base: shift',
        ({ comparisons }) => {
          comparisons[0]!.tests['made-up']!.shift.value = 3;
        },
      ],
      [
        'made-up of beside against base: shift, low',
        ({ comparisons }) => {
          comparisons[0]!.tests['made-up']!.shift.low = 1.5;
        },
      ],
      [
        'made-up of beside against base: effect',
        ({ comparisons }) => {
          comparisons[0]!.tests['made-up']!.effect = -1;
        },
      ],
      [
        'made-up of beside against base: p',
        ({ comparisons }) => {
          comparisons[0]!.tests['made-up']!.p = 0.0156;
        },
      ],
      [
        'made-up of beside against base: corrected p',
        ({ comparisons }) => {
          comparisons[0]!.tests['made-up']!.correctedP = 0.06;
        },
      ],
      [
        'made-up of beside against base: harm',
        ({ comparisons }) => {
          comparisons[0]!.harm['made-up']!.value = 0.1;
        },
      ],
      [
        'made-up of beside against base: difference',
        ({ comparisons }) => {
          comparisons[0]!.difference['made-up']!.value = 3;
        },
      ],
      [
        'stall-time of beside against base: factor',
        ({ comparisons }) => {
          comparisons[0]!.factor['stall-time']!.value = 2;
        },
      ],
      [
        'made-up of beside against base: smallest shift to be shown',
        ({ comparisons }) => {
          comparisons[0]!.tests['made-up']!.smallestShown = 2;
        },
      ],
      [
        'stall-time of base: every try: median',
        ({ conditions }) => {
          conditions[0]!.everyTry.metrics['stall-time']!.value = 0.2;
        },
      ],
      [
        'tries that were measured of base',
        ({ conditions }) => {
          conditions[0]!.everyTry.tries = 7;
        },
      ],
      [
        'trials that count of base',
        ({ conditions }) => {
          conditions[0]!.trials = 5;
        },
      ],
      [
        'trials that count, disturbed of base',
        ({ conditions }) => {
          conditions[0]!.degraded = 1;
        },
      ],
      [
        'void tries of beside',
        ({ conditions }) => {
          conditions[1]!.voided = 2;
        },
      ],
    ];
    const { status, differing } = await verify({ spoil: summary => wrong.forEach(([, spoil]) => spoil(summary)) });
    assert.equal(status, 4);
    assert.deepEqual(differing.sort(), wrong.map(([where]) => where).sort());
  });

  test('a pairwise study: each side of each trial from the record, and the medians of a cell', async () => {
    const path = join(place, 'pairs');
    writePairs(path);
    const { status, rows, differing } = await verified(path);
    assert.deepEqual(differing, []);
    assert.equal(status, 0);
    const ofSlim = rows
      .filter(row => row.place === 'pair-001: slim' && row.low !== null)
      .map(({ metric, low, high }) => [metric, low, high]);
    assert.deepEqual(
      ofSlim,
      Object.entries(pairTruth).map(([metric, value]) => [metric, value, value]),
    );
    writePairs(path, { throughput: 0.9e6, freezes: 5, stalled: 0.031 });
    assert.deepEqual(
      (await verified(path)).differing,
      ['throughput', 'freezes', 'stalled'].map(metric => `${metric} of pair-001: slim`),
    );
  });

  test('a trial that the summary leaves out is found', async () => {
    const { status, rows } = await verify({
      spoil: summary => {
        summary.trials.pop();
      },
    });
    assert.equal(status, 4);
    assert.match(
      rows.find(({ metric, differs }) => metric === 'trial' && differs)!.note,
      /it counts, and the summary does not have it/,
    );
  });

  test('a gap with an unseen frame is the longest that is possible, and a summary that says another is found', async () => {
    // 240 ms between two callbacks that count two frames
    const callbacks = Array.from({ length: 600 }, (_, i): [number, number] => [
      998_000 + 20 * i + (i > 300 ? 220 : 0),
      i + 1 + (i > 300 ? 1 : 0),
    ]);
    const longest = 240 - 1000 / 60;
    const stated = {
      'frame-rate': 49,
      'frame-gap-max': longest,
      'frame-gap-max-least': 120, // without reports of the page, the frame may be in the middle
      'stall-count': 1,
      'stall-time': longest / 1000,
      'freeze-count': 1,
      'freeze-time': longest / 1000,
    };
    const ofFirst = ({ differing }: { differing: string[] }) =>
      differing.filter(name => name.endsWith(' of 0001-base')).map(name => name.split(' ')[0]!);
    assert.deepEqual((await verify({ callbacks, stated })).differing, []);
    // if the page was held up for at most 30 ms, the frame lies in these 30 ms and one display period before the
    // callback
    const punctual = { ...stated, 'frame-gap-max-least': longest - 30 };
    assert.deepEqual((await verify({ callbacks, heldUpMs: 30, stated: punctual })).differing, []);
    assert.deepEqual(ofFirst(await verify({ callbacks, heldUpMs: 30, stated })), ['frame-gap-max-least']);
    // the frame is placed evenly, as in an earlier version
    const even = {
      ...stated,
      'frame-gap-max': 120,
      'stall-count': 0,
      'stall-time': 0,
      'freeze-count': 0,
      'freeze-time': 0,
    };
    assert.deepEqual(ofFirst(await verify({ callbacks, stated: even })), [
      'frame-gap-max',
      'stall-count',
      'stall-time',
      'freeze-count',
      'freeze-time',
    ]);
    // the whole time between the callbacks, as if no frame lay between them
    assert.deepEqual(ofFirst(await verify({ callbacks, stated: { ...stated, 'frame-gap-max': 240 } })), [
      'frame-gap-max',
    ]);
  });

  test('the placement of many unseen frames is that of the summary, whatever the page says', async () => {
    const random = seededRandom(5);
    for (const heldUpMs of [undefined, 0, 25, 90]) {
      let [timeMs, count] = [998_000, 0];
      const callbacks: [number, number][] = [];
      while (timeMs < 1_011_000) {
        const missed = random.next() < 0.2 ? 1 + Math.floor(4 * random.next()) : 0;
        timeMs += 17 * (missed + 1) + (random.next() < 0.03 ? 250 * random.next() : 0);
        callbacks.push([timeMs, (count += 1 + missed)]);
      }
      const path = join(place, `placed-${heldUpMs}`);
      writeRun(path, { callbacks, ...(heldUpMs === undefined ? {} : { heldUpMs }) });
      const folder = join(path, 'trials/0001-base');
      const file = JSON.parse(readFileSync(join(folder, 'trial.json'), 'utf8')) as TrialFile;
      const record = new TrialRecord(file, folder);
      const stated = {
        ...(await frameRate.compute(record)),
        ...(await stall.compute(record)),
        ...(await freeze.compute(record)),
      };
      const wanted = Object.fromEntries(frameMetrics.map(id => [id, stated[id]!]));
      const { differing } = await verify({
        callbacks,
        ...(heldUpMs === undefined ? {} : { heldUpMs }),
        stated: wanted,
      });
      assert.deepEqual(differing, [], String(heldUpMs));
    }
  });

  test('a capture that is cut off, and a broken series, are findings of their trial', async () => {
    const { status, rows } = await verify({ pcap: capture().subarray(0, 5000) });
    assert.equal(status, 4);
    assert.match(rows.find(({ metric }) => metric === 'record')!.note, /bottleneck\.pcap is cut off/);
    const path = join(place, 'broken');
    writeRun(path);
    writeFileSync(join(path, 'trials/0003-base/ping.jsonl'), '{"timeMs":');
    const broken = await recomputed(path);
    assert.equal(broken.status, 4);
    assert.match(broken.stdout, /ping\.jsonl line 1 is no JSON/);
  });

  test('an application whose name leads out of the folder is not read', async () => {
    for (const name of ['../../../other', '/etc', '.', 5]) {
      const path = join(place, `named-${String(name).replaceAll('/', '-')}`);
      writeRun(path);
      const trial = join(path, 'trials/0003-base/trial.json');
      const file = JSON.parse(readFileSync(trial, 'utf8')) as { condition: { applications: { name: unknown }[] } };
      file.condition.applications[0]!.name = name;
      writeFileSync(trial, JSON.stringify(file));
      const { stdout, stderr } = await recomputed(path);
      assert.match(stdout + stderr, /trial\.json has an application named /);
    }
  });

  test('what stands in the place of a capture, or elsewhere by its name, is not read', async () => {
    const path = join(place, 'no capture');
    writeRun(path, { pcap: capture() });
    const of = (trial: string, name: string) => join(path, 'trials', trial, name);
    rmSync(of('0001-base', 'bottleneck.pcap'));
    assert.equal(spawnSync('mkfifo', [of('0001-base', 'bottleneck.pcap')]).status, 0);
    for (const [trial, file] of [
      ['0003-base', '/dev/zero'],
      ['0005-base', '../0001-base/bottleneck.pcap'],
    ] as const) {
      const record = JSON.parse(readFileSync(of(trial, 'trial.json'), 'utf8')) as TrialFile;
      writeFileSync(of(trial, 'trial.json'), JSON.stringify({ ...record, capture: { ...record.capture, file } }));
    }
    const { status, rows } = await verified(path);
    assert.equal(status, 4);
    const noteOf = (trial: string) => rows.find(row => row.metric === 'record' && row.place === trial)!.note;
    assert.match(noteOf('0001-base'), /bottleneck\.pcap is not a file but a folder, a pipe or a device/);
    for (const trial of ['0003-base', '0005-base'])
      assert.match(noteOf(trial), /trial\.json names no file of its folder as capture/);
  });

  test('the table names metric, trial, both values, difference and unit, and ends with the count', async () => {
    const path = join(place, 'table');
    writeRun(path, { stated: { 'stall-time': 0.2 } });
    const { status, stdout } = await recompute(path);
    assert.equal(status, 4);
    assert.match(stdout, /^metric +trial or condition +ours +independent +difference +unit +from/);
    assert.match(stdout, /\nstall-time +0001-base +0\.2 +0\.3 +-0\.1 +s +frames\.presented, page +DIFFERS\n/);
    assert.match(
      stdout,
      /\n\d+ values of 12 trials recomputed: 14 differ by more than rounding \(\d+ more that agree: --all\)\n$/,
    );
  });

  describe('what is no run ends with 1, one line and the mend', () => {
    const cases: [string, (path: string) => void, RegExp][] = [
      ['nothing', () => {}, /is not the folder of a run\n {2}-> give the folder of a run/],
      ['an empty folder', path => mkdirSync(path), /is not the folder of a run/],
      [
        'a broken plan',
        path => {
          writeRun(path);
          writeFileSync(join(path, 'plan.json'), '{');
        },
        /plan\.json cannot be read/,
      ],
      [
        'a device in place of a trial',
        path => {
          writeRun(path);
          rmSync(join(path, 'trials/0001-base/trial.json'));
          symlinkSync('/dev/null', join(path, 'trials/0001-base/trial.json'));
        },
        /trial\.json is not a file but a folder, a pipe or a device/,
      ],
      [
        'another format',
        path => {
          writeRun(path);
          writeFileSync(join(path, 'plan.json'), '{"plan":{"format":1,"conditions":[]}}');
        },
        /is of format 1/,
      ],
      [
        'a game',
        path => {
          writeRun(path);
          writeFileSync(join(path, 'plan.json'), '{"plan":{"format":"game-2"}}');
          writeFileSync(join(path, 'summary.json'), '{"games":[]}');
        },
        /is a study of format 'game-2', whose summary is not recomputed\n/,
      ],
      [
        'a trial of another format',
        path => {
          writeRun(path);
          writeFileSync(join(path, 'trials/0001-base/trial.json'), '{"format":2}');
        },
        /trial\.json is of format 2, not 4\n {2}-> use the version of Coexist that wrote it/,
      ],
      [
        'no summary',
        path => {
          writeRun(path);
          rmSync(join(path, 'summary.json'));
        },
        /summary\.json cannot be read.*\n {2}-> the run has no summary yet: npm run report/,
      ],
      [
        'a summary of something else',
        path => {
          writeRun(path);
          writeFileSync(join(path, 'summary.json'), '[]');
        },
        /summary\.json is not that of this run/,
      ],
    ];
    for (const [what, make, said] of cases) {
      test(what, async () => {
        const path = join(place, `bad ${what}`);
        make(path);
        const { status, stdout, stderr } = await (what === 'nothing' ? recompute : recomputed)(path);
        assert.equal(status, 1, stderr);
        assert.equal(stdout, '');
        assert.match(stderr, said);
      });
    }
  });
});
