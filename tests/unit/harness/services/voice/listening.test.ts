import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { check } from '../../../../../core/schema/schema.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import type { StudyContext, TrialContext } from '../../../../../harness/services/service.ts';
import type { MediaServer } from '../../../../../harness/services/shared/media-server.ts';
import { arm } from '../../../../../harness/services/voice/listening.ts';
import { type Params, paramsSchema } from '../../../../../harness/services/voice/params.ts';
import type { BrowserWindow } from '../../../../../harness/trial/browser/launch.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { sender } from '../../support/record.ts';
import { viewerDrain } from '../support/page-answers.ts';

const never = new Promise<never>(() => {});
const study = {
  network: { hosts: { server: fakeHost('true'), client: fakeHost('true', '', 'right-1') } },
  scratch: '/',
  headed: false,
} as unknown as StudyContext;

/** Answer of a page without video. */
const drain = () => {
  const { stats, ...rest } = viewerDrain();
  const inboundAudio = { kind: 'audio', bytesReceived: 8000 };
  return { ...rest, frames: [], stats: { ...stats!, inbound: null, inboundAudio } };
};

function parts(given: object = {}, opens: () => Promise<void> = async () => {}, change: Record<string, unknown> = {}) {
  const done: string[] = [];
  const opened: unknown[] = [];
  const written: Record<string, object[]> = {};
  const answers: Record<string, unknown> = {
    'coexist.timeMs()': nowMs(),
    'globalThis.coexist?.status()': drain().status,
    'coexist.drain()': drain(),
    ...change,
  };
  const server = {
    failed: never,
    alive: true,
    loadedVoice: { url: 'http://10.0.1.2:8080/', ffmpeg: '8.1' },
    open: async (command: unknown) => {
      opened.push(command);
      await opens();
    },
    close: async () => void done.push('voice closed'),
  } as unknown as MediaServer;
  const browser = {
    died: never,
    version: '156',
    page: {
      goto: async (url: string) => void done.push(new URL(url).searchParams.get('voice')!),
      evaluate: async (expression: string) => answers[expression],
    },
    close: async () => void done.push('browser closed'),
  } as unknown as BrowserWindow;
  const trial: TrialContext = {
    directory: '/',
    write: (series, record) => void (written[series.id] ??= []).push(record),
  };
  const params = check(paramsSchema, given, 'voice') as Params;
  return { done, opened, written, server, start: () => arm(server, study, trial, params, async () => browser) };
}

test('the voice is opened as the study has it, and its page asks for nothing else', async () => {
  const { done, opened, written, server, start } = parts({ red: 2, fec: false, frame: '60ms', bitrate: '16kbit' });
  const listening = await (await start()).begin();
  const { token, recordDirectory: _, ...command } = opened[0] as { token: string; recordDirectory: string };
  assert.match(token, /^[0-9a-f]{32}$/);
  assert.deepEqual(command, {
    type: 'open-voice',
    voice: { clip: null, bitrateBps: 16e3, fec: false, red: 2, dtx: false, frameMs: 60, sync: false },
    settleMs: 500,
  });
  server.onSample(sender(nowMs()));
  assert.equal(written['sender']!.length, 1, 'the account of the server is recorded');
  const live = await listening.collect();
  assert.deepEqual([live.framesPerSecond, live.lost], [null, false]);
  assert.equal(listening.readyMs, (written['voice.heard']![0] as { timeMs: number }).timeMs);
  assert.deepEqual(listening.describe(), {
    voice: { voice: 'synthesised', bitrate: 16e3, fec: false, red: 2, dtx: false, frame: 60 },
    ffmpeg: '8.1',
    browser: '156',
  });
  await listening.stop();
  assert.deepEqual(done.toSorted(), ['alone', 'browser closed', 'voice closed']);
});

test('a connection is lost where the server tells so', async () => {
  const { server, start } = parts();
  const listening = await (await start()).begin();
  server.gone = 'failed';
  assert.equal((await listening.collect()).lost, true);
  await listening.stop();
});

test('a browser whose use never begins, or fails to begin, is closed', async () => {
  const unused = parts();
  await (await unused.start()).stop();
  assert.deepEqual(unused.done, ['browser closed']);
  const failing = parts({}, () => Promise.reject(new CoexistError('server-failed', 'no voice')));
  await assert.rejects((await failing.start()).begin(), { code: 'server-failed' });
  assert.deepEqual(failing.done, ['browser closed']);
  const silent = parts({}, undefined, { 'coexist.drain()': { ...drain(), heard: [] } });
  await assert.rejects((await silent.start()).begin(), { code: 'no-video' });
  assert.equal(silent.done.at(-1), 'browser closed');
});
