/**
 * Pairwise tests as a user starts them: two small services, each alone and each beside each, real browsers on real
 * links.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { trafficOf } from '../../harness/record/traffic.ts';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import type { PairsSummary } from '../../harness/studies/pairs/summary.ts';
import { cannotRun, namespacesOf, Place } from '../e2e/support/run-command.ts';

const small = { id: 'live-clip', width: 320, height: 180, frameRate: 30, clipLength: '1s', startBitrate: '400kbit' };

async function inPlace(body: (place: Place, args: string[]) => Promise<void>): Promise<void> {
  const place = new Place();
  const service = (name: string, maxBitrate: string) => {
    const path = join(place.path, `${name}.json`);
    writeFileSync(path, JSON.stringify({ name, service: { ...small, maxBitrate } }));
    return path;
  };
  const set = [
    'window=2s',
    'warmUp=1s',
    'coolDown=0s',
    'stopping=fixed',
    'repeats=1',
    'soloRepeats=1',
    'preflight=false',
    'retries=6',
  ].flatMap(words => ['--set', `run.${words}`]);
  try {
    await body(place, [
      'pairs',
      '--services',
      `${service('slim', '400kbit')},${service('wide', '500kbit')}`,
      '--link',
      '3mbit',
      ...set,
      '--out',
      place.out,
    ]);
  } finally {
    await place.run(['clean']);
    place.remove();
  }
}

type Timed = { timeMs: number };
const lengthOf = ({ before, after }: { before: Timed; after: Timed }) => after.timeMs - before.timeMs;

const counted = (place: Place) => place.trials().filter(name => !name.includes('.void'));
const cells = [
  '3mbit-slim-alone',
  '3mbit-slim-and-slim',
  '3mbit-slim-and-wide',
  '3mbit-wide-alone',
  '3mbit-wide-and-wide',
].map(id => `${id}-001`);
const file = (place: Place, name: string) =>
  JSON.parse(readFileSync(join(place.out, 'trials', name, 'trial.json'), 'utf8')) as TrialFile;

describe('pairs', { skip: cannotRun }, () => {
  test('killed with -9 in the middle it loses no finished trial, goes on where it was, and reports every pair', () =>
    inPlace(async (place, args) => {
      const session = place.start(args);
      await session.printed(/-alone-001 {2}valid[^]*-alone-001.*cells are open/, 120_000);
      const [done] = counted(place);
      session.process.kill('SIGKILL');
      await session.finish(5000);
      const before = readFileSync(join(place.out, 'trials', done!, 'trial.json'), 'utf8');
      assert.equal((await namespacesOf(place.state)).length, 6, 'the killed study leaves its hosts');

      const resumed = await place.start(['pairs', '--resume', place.out]).finish(240_000);
      assert.equal(resumed.status, 0, resumed.stdout + resumed.stderr);
      assert.match(resumed.stdout, /removed what 1 killed run left: 6 namespaces/);
      assert.deepEqual(counted(place), cells);
      assert.equal(readFileSync(join(place.out, 'trials', done!, 'trial.json'), 'utf8'), before);
      assert.deepEqual(await namespacesOf(place.state), []);

      const trial = file(place, '3mbit-slim-and-wide-001');
      const { applications: sides, bottleneck, phases } = trial;
      assert.equal(phases!.windowEndMs - phases!.windowStartMs, 2000);
      assert.notDeepEqual(sides[0]!.addresses, sides[1]!.addresses);
      // the clients' devices are read some time before the window
      const sentBps = (bottleneck!.after.sentBytes - bottleneck!.before.sentBytes) / lengthOf(bottleneck!);
      const receivedBps = sides.reduce((sum, { received }) => {
        const { before: first, after: last } = received!;
        return sum + (last.bytes - first.bytes) / lengthOf({ before: first, after: last });
      }, 0);
      assert.ok(
        Math.abs(receivedBps / sentBps - 1) < 0.1,
        `${sentBps} bytes/ms left the queue, ${receivedBps} came to both clients`,
      );
      for (const side of sides) {
        assert.ok(
          readFileSync(
            join(place.out, 'trials/3mbit-slim-and-wide-001/applications', side.name, 'frames.presented.jsonl'),
            'utf8',
          ).split('\n').length > 30,
        );
        assert.ok(trial.queueLog === null || trafficOf(trial, side.name)!.sentPackets > 20);
        const media = readFileSync(
          join(place.out, 'trials/3mbit-slim-and-wide-001/applications', side.name, 'queue.media.jsonl'),
          'utf8',
        )
          .trim()
          .split('\n')
          .map(line => JSON.parse(line === '' ? '{"sequences":[]}' : line) as { sequences: number[] });
        assert.ok(
          trial.queueLog === null || media.flatMap(({ sequences }) => sequences).length > 20,
          'what became of each packet of the media',
        );
      }

      const summary = JSON.parse(readFileSync(join(place.out, 'summary.json'), 'utf8')) as PairsSummary;
      const pair = summary.cells.find(({ id }) => id === '3mbit-slim-and-wide')!;
      for (const [k, capBps] of [400e3, 500e3].entries())
        assert.ok(Math.abs(pair.sides[k]!.dueBps / capBps - 1) < 0.2, `what it takes alone: ${pair.sides[k]!.dueBps}`);
      for (const { values } of pair.sides)
        assert.ok(
          values['stalled']!.n === 1 && values['share']!.value! > 0.4 && values['frame-rate']!.value! > 20,
          JSON.stringify(values),
        );
      const page = readFileSync(join(place.out, 'report.html'), 'utf8');
      assert.match(page, /Causes of stalls/);
      assert.ok(
        page.includes('href="trials/3mbit-slim-and-wide-001/index.html"') &&
          existsSync(join(place.out, 'trials/3mbit-slim-and-wide-001/index.html')),
      );
    }));

  test('watching begins again when all pairs are done, and leaves a site with what changed', () =>
    inPlace(async (place, [command, option, services, ...rest]) => {
      const session = place.start([command!, option!, services!.split(',')[0]!, ...rest, '--watch']);
      await session.printed(/cycle 0002 is done/, 200_000);
      session.process.kill('SIGINT');
      const { status, stderr } = await session.finish(30_000);
      assert.equal(status, 130, stderr);
      assert.match(stderr, /go on with: npm run pairs -- --resume /);
      const index = readFileSync(join(place.out, 'index.html'), 'utf8');
      assert.match(index, /href="cycles\/0002\/report\.html"[^]*href="cycles\/0001\/report\.html"/);
      assert.match(index, /0 of 0 shares moved/);
      assert.match(
        readFileSync(join(place.out, 'cycles/0002/report.html'), 'utf8'),
        /Against cycle 0001: machine, services and how they are run are the same\./,
      );
      const again = await place.run(['report', place.out]);
      assert.equal(
        again.stdout,
        `summary: ${join(place.out, 'cycles/0002/summary.json')}\nreport:  ${join(place.out, 'cycles/0002/report.html')}\n`,
        again.stderr,
      );
      assert.match(readFileSync(join(place.out, 'cycles/0002/report.html'), 'utf8'), /Against cycle 0001: /);
      assert.deepEqual(
        readdirSync(join(place.out, 'cycles/0002/trials')).filter(name => !name.includes('.')),
        ['3mbit-slim-alone-001', '3mbit-slim-and-slim-001'],
      );
      assert.deepEqual(await namespacesOf(place.state), []);
    }));

  test('what is wrong with a study is one line, and nothing was started', () =>
    inPlace(async (place, args) => {
      for (const [change, message] of [
        [['--services', 'iperf-kubic'], /^there is no service named "iperf-kubic"; did you mean "iperf-cubic"\?\n/],
        [['--link', '8mbot'], /^--link 8mbot: there is no such link\n/],
        [['--set', 'run.windo=3s'], /^services: run: unknown key "windo"; did you mean "window"\?/],
      ] as const) {
        const { status, stderr } = await place.run([...args, ...change]);
        assert.equal(status, 1);
        assert.match(stderr, message);
        assert.doesNotMatch(stderr, /at .*\.ts:\d+/);
      }
      assert.equal(existsSync(place.out), false);
    }));
});
