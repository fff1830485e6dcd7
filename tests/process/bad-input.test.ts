/** Bad input: one clear line, the right exit status, no stack, nothing started and nothing left behind. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { cannotRun, type Ended, Place, short } from '../e2e/support/run-command.ts';
import { commandsWith } from '../unit/support/commands.ts';

const place = new Place();
const command = commandsWith({ COEXIST_STATE_DIR: place.state });
after(() => place.remove());

function assertClear(ended: Omit<Ended, 'signal'>, status: number, message: RegExp): void {
  assert.equal(ended.status, status, ended.stdout + ended.stderr);
  assert.match(ended.stderr, message);
  assert.doesNotMatch(ended.stderr, /at .*\.(ts|js):\d+|unexpected error/);
  assert.ok(ended.stderr.trim().split('\n').length <= 2, ended.stderr);
}

const text = join(place.path, 'text.mp4');
const empty = join(place.path, 'empty.mp4');
const definition = join(place.path, 'broken.ts');
writeFileSync(text, 'this is no video');
writeFileSync(empty, '');
writeFileSync(definition, 'export default {');
writeFileSync(join(place.path, 'nothing.ts'), 'export const a = 1;');

const hosts = join(place.path, 'hosts.json');
const machine = (name: string, role: string, ...addresses: string[]) => ({
  name,
  ssh: `root@${name}.invalid`,
  roles: [role],
  devices: addresses.map((address, k) => ({ device: `eth${k + 1}`, address })),
});
writeFileSync(
  hosts,
  JSON.stringify({
    machines: [
      machine('shaper', 'router', '10.77.1.1', '10.77.2.1'),
      machine('sender', 'left', '10.77.1.2'),
      machine('viewer', 'right', '10.77.2.2'),
    ],
  }),
);

const elsewhere = { id: 'live-clip', clip: '/etc/passwd' };
const [strangersStudy, strangersService] = [join(place.path, 'stranger.json'), join(place.path, 'service.json')];
writeFileSync(
  strangersStudy,
  JSON.stringify({
    title: 'x',
    question: 'x',
    source: 'x',
    link: { rate: '5mbit', queue: { limit: '100packets' } },
    service: elsewhere,
    conditions: { alone: {} },
  }),
);
writeFileSync(strangersService, JSON.stringify({ name: 'theirs', service: elsewhere }));

const cases: [string, string[], number, RegExp][] = [
  [
    "a stranger's study that names a file elsewhere",
    ['experiment', strangersStudy],
    1,
    /stranger\.json: service: clip: \/etc\/passwd is neither shipped nor beside the definition/,
  ],
  [
    "a stranger's service that names a file elsewhere",
    ['pairs', '--services', strangersService],
    1,
    /service\.json: .*clip: \/etc\/passwd is neither shipped nor beside the definition/,
  ],
  ['unknown command', ['experimnt'], 1, /no command "experimnt"; did you mean "experiment"\?/],
  ['unknown study', ['experiment', 'bbr-flod'], 1, /no study named "bbr-flod"; did you mean "bbr-flood"\?/],
  ['study file that is not there', ['experiment', './nope.ts'], 1, /no file \.\/nope\.ts/],
  ['study file that is broken', ['experiment', definition], 1, /broken\.ts could not be loaded/],
  ['study file without a definition', ['experiment', join(place.path, 'nothing.ts')], 1, /has no definition/],
  ['misspelt option', ['experiment', '--repeat', '5'], 1, /unknown option --repeat; did you mean --repeats\?/],
  ['repeats that are none', ['experiment', '--repeats', 'many'], 1, /--repeats many: it must be a whole number/],
  ['--set without a value', ['experiment', '--set', 'link.rate'], 1, /--set link\.rate: no value/],
  ['misspelt path', ['experiment', '--set', 'link.rte=40mbit'], 1, /unknown key "rte"; did you mean "rate"\?/],
  ['misspelt branch', ['experiment', '--set', 'lnk.rate=40mbit'], 1, /no "lnk" in this study; did you mean "link"\?/],
  ['wrong unit', ['experiment', '--set', 'link.rate=40apples'], 1, /"40apples" is not a rate; write it like "40mbit"/],
  [
    'negative rate',
    ['experiment', '--set', 'link.rate=-4mbit'],
    1,
    /"-4mbit" is out of range; it must be at least 64 kbit\/s/,
  ],
  ['no queue', ['experiment', '--set', 'link.queue.limit=0packets'], 1, /leaves no queue/],
  ['loss over 100 %', ['experiment', '--set', 'link.loss=120%'], 1, /"120%" is out of range/],
  ['start-up under 3 s', ['experiment', '--set', 'run.startUp=1s'], 1, /"1s" is out of range; it must be at least 3 s/],
  [
    'unknown controller',
    ['experiment', '--set', 'service.controller.id=gc'],
    1,
    /no controller named "gc"; did you mean "gcc"\?/,
  ],
  [
    'resume with other options',
    ['experiment', '--resume', '/nope', '--repeats', '3'],
    1,
    /--resume goes on with the plan in the folder/,
  ],
  ['resume of a folder that is no run', ['experiment', '--resume', place.path], 1, /is not the folder of a run/],
  [
    'threshold on a metric that there is not',
    ['experiment', 'hello', '--set', 'require=[{"metric":"stal-time","atMost":"0s"}]'],
    1,
    /there is no metric "stal-time"; did you mean "stall-time"\?/,
  ],
  [
    'threshold in a wrong unit',
    ['experiment', 'hello', '--set', 'require=[{"metric":"stall-time","atMost":"5mbit"}]'],
    1,
    /"5mbit" is no bound for stall-time; write it like "2s"/,
  ],
  [
    'a time without its unit',
    ['experiment', 'hello', '--set', 'link.rtt=40', '--dry-run'],
    1,
    /link: rtt: 40 is not a duration; write it like "40ms"/,
  ],
  ...[[], ['--json']].flatMap((json): [string, string[], number, RegExp][] => [
    [
      `a clip that is missing, at the dry run ${json.join()}`,
      ['experiment', 'hello', '--set', 'service.clip=/nope.mp4', '--dry-run', ...json],
      1,
      /the clip \/nope\.mp4 does not exist/,
    ],
    ...['service.audio', 'service'].map((of): [string, string[], number, RegExp] => [
      `a voice that is no WAV file, as ${of} at the dry run ${json.join()}`,
      ['experiment', of === 'service' ? 'voice' : 'hello', '--set', `${of}.voice=${text}`, '--dry-run', ...json],
      1,
      /the voice .*text\.mp4 is not a WAV file/,
    ]),
    [
      `a trace that is missing, at the dry run ${json.join()}`,
      ['experiment', 'hello', '--set', 'link.trace=/nope.trace', '--dry-run', ...json],
      1,
      /\/nope\.trace cannot be read \(ENOENT\)/,
    ],
  ]),
  ['report of three folders', ['report', 'a', 'b', 'c'], 1, /report needs the folder of a run, or of two to compare/],
  [
    'comparison with a folder that is no run',
    ['report', place.path, join(place.path, 'other')],
    1,
    /is not the folder of a run/,
  ],
  ['comparison of a run with itself', ['report', place.path, `${place.path}/`], 1, /is given twice/],
  [
    'export in a format that there is not',
    ['export', '--format', 'parket', place.path],
    1,
    /--format parket: there is no such format; did you mean "parquet"\?/,
  ],
  [
    'a service that needs this machine, over other machines',
    ['experiment', 'hello', '--set', 'service={"id":"web-page"}', '--hosts', hosts],
    2,
    /^over --hosts the application service \(.*\) of condition baseline cannot run yet: it needs this machine/,
  ],
  [
    'a study of more applications than the hosts have room for',
    ['experiment', 'hello', '--hosts', hosts],
    2,
    /^the study needs a router and 2 machines on either side, and the roles of shaper, sender, viewer leave less\n.*two machines of its own/,
  ],
  [
    'a lab and a queue',
    ['experiment', '--hosts', hosts, '--queue', 'local'],
    1,
    /--hosts cannot be combined with --queue/,
  ],
  ['a file of hosts that is not there', ['experiment', '--hosts', '/nope.json'], 1, /\/nope\.json: ENOENT/],
  [
    'pairs with a service that needs this machine, over other machines',
    ['pairs', '--quick', '--hosts', hosts],
    2,
    /^over --hosts the application first \(.*\) of condition 8mbit-.*-alone cannot run yet: it needs this machine/,
  ],
  [
    'a game with more players than the hosts have room for',
    ['game', '--hosts', hosts],
    2,
    /^the study needs a router and \d+ machines on either side/,
  ],
  ['output folder that is not empty', ['experiment', 'hello', '--out', place.path], 1, /is not empty/],
  [
    'clip that is not there',
    ['experiment', 'hello', '--set', 'service.clip=/nope.mp4'],
    1,
    /the clip \/nope\.mp4 does not exist/,
  ],
  ['clip that is text', ['experiment', 'hello', '--set', `service.clip=${text}`], 1, /text\.mp4 cannot be decoded/],
  ['clip that is empty', ['experiment', 'hello', '--set', `service.clip=${empty}`], 1, /empty\.mp4 cannot be decoded/],
  [
    'experiment that goes to the Internet',
    ['experiment', 'hello', '--set', 'service={"id":"live-url"}'],
    1,
    /service live-url needs the Internet, which an experiment cannot reach\n.*npm run pairs/,
  ],
  [
    'experiment longer than its video',
    ['experiment', 'hello', '--set', 'service={"id":"abr-video"}', '--set', 'run.window=40min'],
    1,
    /ends after .*, before the end of a trial\n.*give run\.window \d+s at most/,
  ],
  [
    'congestion control that the kernel does not have',
    ['experiment', 'hello', '--set', 'flood.congestionControl=nonesuch'],
    2,
    /no congestion control "nonesuch"/,
  ],
];

describe('bad input', { skip: cannotRun }, () => {
  for (const [name, args, status, message] of cases) {
    test(name, async () => {
      assertClear(await command(...args), status, message);
      assert.deepEqual(await place.namespaces(), []);
    });
  }
});

describe('bad input that a process of its own meets', { skip: cannotRun }, () => {
  test('a browser that is not there, that does not start, that has no display', async () => {
    const fake = join(place.path, 'fake-browser');
    writeFileSync(fake, '#!/bin/sh\necho "cannot open shared object" >&2\nexit 127\n');
    chmodSync(fake, 0o700);
    const arguments_ = ['experiment', ...short, '--set', 'run.retries=0', '--set', 'run.preflight=false'];
    assertClear(
      await place.run([...arguments_, '--out', join(place.path, 'a')], { CHROMIUM_PATH: '/nope/chromium' }),
      2,
      /CHROMIUM_PATH names \/nope\/chromium/,
    );
    assertClear(
      await place.run([...arguments_, '--out', join(place.path, 'b'), '--headed'], {
        DISPLAY: '',
        WAYLAND_DISPLAY: '',
      }),
      2,
      /--headed needs a display/,
    );
    const ended = await place.run([...arguments_, '--out', join(place.path, 'c')], { CHROMIUM_PATH: fake });
    assert.equal(ended.status, 3);
    assert.match(ended.stdout, /VOID: the browser .*fake-browser did not start/);
  });

  test('a full disk ends the run with 5, names the place, and leaves nothing', async () => {
    const mount = join(place.path, 'full');
    mkdirSync(mount);
    await run(['mount', '-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', mount]);
    try {
      assertClear(
        await place.run(['experiment', ...short, '--set', 'run.preflight=false', '--out', join(mount, 'run')]),
        5,
        /disk full: .* could not be written\n {2}-> .*--resume/,
      );
    } finally {
      await run(['umount', mount]);
    }
  });

  test('a folder that may not be written', async () => {
    assertClear(await place.run(['experiment', ...short, '--out', '/proc/run']), 2, /\/proc\/run could not be written/);
  });
});

test('what --set replaces is not looked at any more', async () => {
  const replaced = await command('experiment', strangersStudy, '--set', 'service.clip=bigbuckbunny', '--dry-run');
  assert.equal(replaced.status, 0, replaced.stderr);
  assertClear(await command('experiment', strangersStudy, '--dry-run'), 1, /neither shipped nor beside/);
});

test('a preset that no encoder has is refused at the dry run', async () => {
  const words = ['experiment', 'hello', '--set', 'service.preset=ultrafastt', '--dry-run'];
  assertClear(await command(...words), 1, /no preset "ultrafastt"; did you mean "ultrafast"\?/);
});
