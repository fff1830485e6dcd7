/** The studies that a soak runs: short ones of every kind. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { short, small } from '../e2e/support/run-command.ts';

export type SoakStudy = {
  name: string;
  /** Words of the command without `--out`. `directory`: where definitions can be written to. */
  words(directory: string): string[];
  /** Word of the command that goes on with it; null: it keeps nothing, and takes no `--out`. */
  command: 'experiment' | 'pairs' | 'game' | null;
  /** It runs on a machine with an Internet of its own (tests/long/support/own-machine.ts). */
  isOnline?: true;
};

const set = (...assignments: string[]) => assignments.flatMap(words => ['--set', words]);
const unproved = set('run.preflight=false', 'run.retries=1');

const hello = (name: string, ...assignments: string[]): SoakStudy => ({
  name,
  command: 'experiment',
  words: () => ['experiment', ...short, ...unproved, ...set(...assignments)],
});

function definitionFile(directory: string, name: string, definition: unknown): string {
  const path = join(directory, `${name}.json`);
  writeFileSync(path, JSON.stringify(definition));
  return path;
}

const iperf = (congestionControl: string) => ({ service: { id: 'iperf', congestionControl } });

const game = {
  title: 'Two players',
  question: 'Does a game leave anything behind?',
  source: 'own',
  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: { all: { players: 2, link: { rtt: '20ms' } } },
  strategies: { cubic: iperf('cubic'), reno: iperf('reno') },
  states: [{ all: { cubic: 1, reno: 1 } }],
  run: { window: '5s', leaveOut: '2s', most: 1, retries: 1, preflight: false },
};

/** A service with a browser, or a program of its own, as the only application of an experiment of a few seconds. */
const service = (name: string, id: string, more: object = {}, ofService: object = {}): SoakStudy => ({
  name,
  command: 'experiment',
  words: directory => [
    'experiment',
    definitionFile(directory, 'service', {
      title: name,
      question: 'Does a service leave anything behind?',
      source: 'own',
      link: { rate: '10mbit', queue: { limit: '250ms' } },
      service: { id, ...ofService },
      run: { window: '3s', repeats: 1, preflight: false, retries: 1 },
      ...more,
    }),
  ],
});

const shortPairs = [
  ...set('run.window=2s', 'run.warmUp=1s', 'run.coolDown=0s', 'run.stopping=fixed'),
  ...set('run.repeats=1', 'run.soloRepeats=1'),
];

const slim = { id: 'live-clip', width: 320, height: 180, frameRate: 30, clipLength: '1s', maxBitrate: '400kbit' };

export const studies: readonly SoakStudy[] = [
  { name: 'proved link', command: 'experiment', words: () => ['experiment', ...short] },
  hello('flood of BBRv3', 'flood.congestionControl=bbr3'),
  hello('kernel shaper', 'link.backend=tc', 'link.rtt=20ms', 'link.loss=1%'),
  hello('up link', 'link.up.rate=5mbit', 'link.up.queue.limit=300ms'),
  {
    name: 'queue',
    command: 'experiment',
    words: () => ['experiment', ...short, ...unproved, '--queue', 'local'],
  },
  {
    name: 'pairs',
    command: 'pairs',
    words: directory => [
      'pairs',
      '--services',
      definitionFile(directory, 'slim', { name: 'slim', service: slim }),
      '--link',
      '3mbit',
      ...shortPairs,
      ...unproved,
    ],
  },
  {
    name: 'live URL',
    command: 'pairs',
    isOnline: true,
    words: directory => [
      'pairs',
      '--services',
      definitionFile(directory, 'live', {
        name: 'live',
        service: { id: 'live-url', url: 'http://www.live.test/busy', visit: '2s' },
      }),
      '--link',
      '4mbit',
      ...shortPairs,
      ...unproved,
    ],
  },
  service('call', 'chromium-call', {}, { width: 320, height: 180, clipLength: '1s' }),
  service('voice', 'voice'),
  service('web page', 'web-page'),
  service('adaptive video', 'abr-video'),
  service('download', 'download'),
  service('batches of downloads', 'batch-download'),
  service('UDP flow', 'udp-flow'),
  service('short flows', 'short-flows', {}, { connections: 5, idle: '500ms' }),
  service('tunnel', 'live-clip', { tunnel: { id: 'quic', mode: 'datagram' } }, slim),
  { name: 'demonstration', command: null, words: () => ['demo', '--xvfb', '--seconds', '5', ...small] },
  { name: 'game', command: 'game', words: directory => ['game', definitionFile(directory, 'game', game)] },
];

/** Trials one after the other in one process, for what that process uses. */
export const manyTrials = (repeats: number): string[] => [
  'experiment',
  'hello',
  ...set('run.window=1s'),
  ...small,
  ...unproved,
  '--repeats',
  String(repeats),
];
