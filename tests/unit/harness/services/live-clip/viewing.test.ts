import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { check } from '../../../../../core/schema/schema.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import { type Params, paramsSchema } from '../../../../../harness/services/live-clip/params.ts';
import { arm } from '../../../../../harness/services/live-clip/viewing.ts';
import type { StudyContext, TrialContext } from '../../../../../harness/services/service.ts';
import type { MediaServer } from '../../../../../harness/services/shared/media-server.ts';
import type { BrowserWindow } from '../../../../../harness/trial/browser/launch.ts';
import type { OpenCommand } from '../../../../../server/control/protocol.ts';
import { untilEnded } from '../../../shaper/support/scripts.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { presented } from '../../support/record.ts';
import { viewerDrain } from '../support/page-answers.ts';

const never = new Promise<never>(() => {});
const params = check(paramsSchema, {}, 'live-clip') as Params;
const study = {
  network: { hosts: { server: fakeHost('true'), client: fakeHost('true', '', 'right-1') } },
  scratch: '/',
  headed: false,
} as unknown as StudyContext;
const trial: TrialContext = { directory: '/', write: () => {} };

/**
 * Returns a media server and a browser that record the calls to them. `opens`: opens the server's stream. `change`:
 * answers of the page that differ from the usual ones.
 */
function parts(
  opens: (command: OpenCommand) => Promise<void> = async () => {},
  change: Record<string, unknown> = {},
  given: { params?: Params; study?: StudyContext; trial?: TrialContext } = {},
) {
  const used = { params, study, trial, ...given };
  const done: string[] = [];
  const answers: Record<string, unknown> = {
    'coexist.timeMs()': nowMs(),
    'globalThis.coexist?.status()': viewerDrain().status,
    'coexist.drain()': viewerDrain(),
    ...change,
  };
  const server = {
    failed: never,
    alive: true,
    loaded: { url: 'http://10.0.1.2:8080/' },
    open: async (command: OpenCommand) => {
      done.push('stream opened');
      await opens(command);
    },
    close: async () => void done.push('stream closed'),
  } as unknown as MediaServer;
  const browser = {
    died: never,
    page: {
      goto: async () => void done.push('page opened'),
      evaluate: async (expression: string) => answers[expression],
    },
    close: async () => void done.push('browser closed'),
  } as unknown as BrowserWindow;
  const launch = async () => {
    done.push('browser started');
    return browser;
  };
  return { done, server, browser, arm: () => arm(server, used.study, used.trial, used.params, launch) };
}

test('the browser is started before the use begins, and the stream with it', async () => {
  const { done, arm } = parts();
  const armed = await arm();
  assert.deepEqual(done, ['browser started']);
  const viewing = await armed.begin();
  assert.deepEqual(done, ['browser started', 'stream opened', 'page opened']);
  await viewing.stop();
  assert.deepEqual(done.slice(3).toSorted(), ['browser closed', 'stream closed']);
});

test('a connection is lost where either end tells so', async () => {
  const { server, arm } = parts();
  const viewing = await (await arm()).begin();
  assert.equal((await viewing.collect()).lost, false);
  server.gone = 'failed';
  assert.equal((await viewing.collect()).lost, true);
  await viewing.stop();
});

test('a voice is asked for and sent where the study has one, and what is heard of it is recorded', async () => {
  const opened: unknown[] = [];
  const urls: string[] = [];
  const written: Record<string, object[]> = {};
  const write: TrialContext['write'] = (series, record) => void (written[series.id] ??= []).push(record);
  for (const given of [{}, { audio: { red: 1, frame: '40ms' } }]) {
    const { server, browser } = parts();
    server.open = async command => void opened.push(command.type === 'open' && command.stream.voice);
    browser.page.goto = async url => {
      urls.push(url);
      return null;
    };
    const own = check(paramsSchema, given, 'live-clip') as Params;
    const armed = await arm(server, study, { directory: '/', write }, own, async () => browser);
    await (await armed.begin()).stop();
  }
  assert.deepEqual(opened, [
    undefined,
    { clip: null, bitrateBps: 32e3, fec: true, red: 1, dtx: false, frameMs: 40, sync: true },
  ]);
  assert.deepEqual(
    urls.map(url => new URL(url).searchParams.get('voice')),
    [null, '1'],
  );
  // each page told one part when it was asked for the first frame
  assert.deepEqual(
    written['voice.heard']!.map(part => (part as { pcm: string }).pcm),
    ['AAD/fw==', 'AAD/fw=='],
  );
});

test('a browser whose use never begins, or fails to begin, is closed', async () => {
  const unused = parts();
  await (await unused.arm()).stop();
  assert.deepEqual(unused.done, ['browser started', 'browser closed']);
  const failing = parts(() => Promise.reject(new CoexistError('server-failed', 'no stream')));
  await assert.rejects((await failing.arm()).begin(), { code: 'server-failed' });
  assert.deepEqual(failing.done, ['browser started', 'stream opened', 'browser closed']);
});

test('what its page cannot tell fails the service, which is named with its host, and closes the browser', async () => {
  const drain = viewerDrain();
  const [event] = drain.events;
  const status = 'globalThis.coexist?.status()';
  for (const [asked, told, message] of [
    ['coexist.timeMs()', NaN, /^live-clip's page on right-1/],
    [status, { ...drain.status, state: 'elsewhere' }, /^live-clip's page on right-1: state: /],
    [status, { ...drain.status, state: 'failed' }, /^live-clip's page on right-1: failed without a reason$/],
    ['coexist.drain()', { ...drain, frames: [presented(nowMs(), -1)] }, /: frames\.0\.presentedFrames: Too small/],
    ['coexist.drain()', { ...drain, frames: [presented(nowMs() + 1e9, 1)] }, /: its time is 1000000 s ahead$/],
    ['coexist.drain()', { ...drain, frames: Array(1e6).fill(0) }, /^live-clip's page on right-1: frames: Too big/],
    ['coexist.drain()', { ...drain, events: [{ ...event, type: 'a b' }] }, /: events\.0\.type: /],
    ['coexist.drain()', { ...drain, events: [{ ...event, timeMs: nowMs() + 1e9 }] }, /: its time is 1000000 s ahead$/],
    [
      'coexist.drain()',
      { ...drain, events: [{ ...event, value: 'x'.repeat(300_000) }] },
      /: events\.0\.value: Too big/,
    ],
    ['coexist.drain()', { ...drain, stats: { ...drain.stats, timeMs: '5' } }, /: stats\.timeMs: /],
    ['coexist.drain()', { ...drain, heard: [{ timeMs: nowMs(), pcm: 'no base64!' }] }, /: heard\.0\.pcm: /],
    [
      'coexist.drain()',
      { ...drain, heard: [{ timeMs: nowMs() + 1e9, pcm: 'AAAA' }] },
      /: its time is 1000000 s ahead$/,
    ],
  ] as const) {
    const { done, arm } = parts(undefined, { [asked]: told });
    await assert.rejects((await arm()).begin(), { code: 'service-failed', message });
    assert.equal(done.at(-1), 'browser closed');
  }
});

const marking = check(
  paramsSchema,
  { controller: { id: 'scream-v2', ecn: 'l4s' }, feedback: 'ccfb', ecn: true },
  'live-clip',
) as Params;

test('the packets of a controller that reacts are marked at a known port, from before the stream to after it', async () => {
  const server = fakeHost(untilEnded('echo "{\\"changed\\":5}"'), '[{"dev":"eth0"}]');
  const network = { ...study.network, hosts: { ...study.network.hosts, server }, addresses: { client: '10.0.2.2' } };
  const ports: (number | undefined)[] = [];
  const { arm } = parts(
    async ({ mediaPort }) => {
      ports.push(mediaPort);
      assert.equal(server.started.length, 1);
    },
    {},
    { params: marking, study: { ...study, network } as unknown as StudyContext },
  );
  const viewing = await (await arm()).begin();
  assert.deepEqual(server.started[0]!.slice(3), ['eth0', '17', '50000', 'rtp', '0', '1', 'keep']);
  assert.deepEqual(ports, [50_000]);
  assert.equal(viewing.describe()['ect'], 'ect1');
  await viewing.stop();
});

test('marks do not pass a tunnel', async () => {
  const tunnel = { carry: async () => {} } as unknown as NonNullable<TrialContext['tunnel']>;
  const { arm } = parts(undefined, {}, { params: marking, trial: { ...trial, tunnel } });
  await assert.rejects(arm(), { code: 'bad-definition', message: /^ECN marks of the media do not pass a tunnel/ });
});
