/**
 * A checkout in a folder that people have: with a space, "#", "%" and letters that are not Latin. One trial of each
 * service by its own commands, from a study, a clip and a trace with such names into such folders; the live URL, which
 * needs an Internet of the test's own, by its test, which is started there.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { cacheFolder, projectRoot } from '../../core/system/paths.ts';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';
import { noFirewall } from './support/own-machine.ts';

// on the disk of the checkout, so that its packages and programs need no second copy
const checkout = join(cacheFolder, 'co ex #1 50% ü 日本');

/** What no commit holds. */
const built = [
  'node_modules',
  'shaper/native/build',
  'shaper/emulator/native/build',
  'shaper/bbr3/build',
  'harness/quic/target',
  '.cache/clips',
  '.cache/http3',
  '.cache/quic',
];

async function copy(): Promise<void> {
  rmSync(checkout, { recursive: true, force: true });
  const { stdout } = await run([
    'git',
    '-C',
    projectRoot,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
  ]);
  for (const file of stdout.split('\0').filter(name => name !== '' && existsSync(join(projectRoot, name)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    copyFileSync(join(projectRoot, file), join(checkout, file));
  }
  for (const folder of built.filter(name => existsSync(join(projectRoot, name)))) {
    mkdirSync(dirname(join(checkout, folder)), { recursive: true });
    await run(['cp', '--archive', '--link', join(projectRoot, folder), join(checkout, folder)], { timeoutMs: 300_000 });
  }
}

const video = { width: 320, height: 180, clipLength: '1s', maxBitrate: '1mbit' };
const [clip, trace] = ['Mein Clip #1 50% ü.mp4', 'Spur #1 50% ü.trace'];

/** What a trial of each service takes, short and small. */
const trials: Record<string, { service: object; link?: object }> = {
  // one packet of 1500 bytes each millisecond: 12 Mbit/s
  'live-clip': { service: { ...video, frameRate: 30, clip }, link: { rate: '12mbit', trace } },
  'chromium-call': { service: { ...video, clip } },
  'abr-video': { service: { topRate: '1mbit' } },
  'web-page': { service: {} },
  download: { service: { congestionControl: 'cubic' } },
  'batch-download': { service: { congestionControl: 'cubic' } },
  iperf: { service: { congestionControl: 'cubic' } },
  'udp-flow': { service: {} },
  'short-flows': { service: { connections: 5, idle: '500ms' } },
  voice: { service: {} },
};

/** What a command gets in that checkout, whose own Node it is. */
const there = ['sh', '-c', 'cd "$0" && shift && exec node_modules/node-linux-*/bin/node "$@"', checkout];

describe('a checkout in an odd folder', { skip: cannotRun }, () => {
  before(copy);
  after(() => rmSync(checkout, { recursive: true, force: true }));

  test('each service has a trial here', async () => {
    const all = [...(await loadRegistries()).services.keys()];
    assert.deepEqual(all.toSorted(), [...Object.keys(trials), 'live-url'].sort());
  });

  for (const [id, { service, link = { rate: '20mbit' } }] of Object.entries(trials))
    test(id, async context => {
      const place = new Place(there);
      const out = join(checkout, 'runs', `Läufe #1 ${id}`);
      try {
        const file = join(checkout, `Studie #1 50% ${id}.json`);
        copyFileSync(join(projectRoot, 'server/media/clips/bigbuckbunny.mp4'), join(checkout, clip));
        writeFileSync(join(checkout, trace), '1\n');
        writeFileSync(
          file,
          JSON.stringify({
            title: 'Ordner',
            question: 'Does it work here?',
            source: 'own',
            link: { ...link, queue: { limit: '100packets' } },
            applications: { own: { service: { id, ...service } } },
            run: { window: '4s', retries: 6, preflight: false, pcap: true },
          }),
        );
        const result = join(checkout, `Ergebnis #1 50% ${id}.json`);
        const ended = await place.start(['experiment', file, '--out', out, '--json', result]).finish(300_000);
        const disturbed = ended.status === 3 ? disturbedBy(out, ['0001-all']) : undefined;
        if (disturbed !== undefined) return context.skip(disturbed);
        assert.equal(ended.status, 0, ended.stdout + ended.stderr);
        const summary = JSON.parse(readFileSync(result, 'utf8')) as Summary;
        assert.ok(summary.conditions[0]!.metrics['wire-rate']!.value! > 10_000, ended.stdout);
        const { capture } = JSON.parse(readFileSync(join(out, 'trials/0001-all/trial.json'), 'utf8')) as {
          capture: { file: string };
        };
        assert.ok(existsSync(join(out, 'trials/0001-all', capture.file)));
        for (const words of [
          ['report', out, '--figures', join(out, 'Bilder #1 50%'), '--page', join(out, 'Seite #1 50%.md')],
          ['export', out, '--format', 'csv,parquet,webrtc-internals'],
        ]) {
          const after = await place.run(words);
          assert.equal(after.status, 0, after.stdout + after.stderr);
        }
        assert.deepEqual(await place.namespaces(), []);
      } finally {
        await place.run(['clean']);
        place.remove();
      }
    });

  test('live-url', { skip: noFirewall }, async () => {
    const { status, stdout, stderr } = await run(
      [
        process.execPath,
        '--test',
        '--test-concurrency=1',
        '--test-name-pattern=is used by a script',
        'tests/long/live-url.test.ts',
      ],
      { cwd: checkout, allowFailure: true, timeoutMs: 600_000 },
    );
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /^ℹ pass [1-9]/m, stdout);
  });
});
