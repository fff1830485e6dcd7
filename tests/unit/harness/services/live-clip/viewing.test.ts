import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowMs } from '../../../../../core/clock.ts';
import { CoexistError } from '../../../../../core/errors.ts';
import { check } from '../../../../../core/schema.ts';
import type { BrowserWindow } from '../../../../../harness/browser/launch.ts';
import type { MediaServer } from '../../../../../harness/services/live-clip/media-server.ts';
import { paramsSchema } from '../../../../../harness/services/live-clip/params.ts';
import type { Params } from '../../../../../harness/services/live-clip/params.ts';
import { ArmedViewing } from '../../../../../harness/services/live-clip/viewing.ts';
import type { StudyContext, TrialContext } from '../../../../../harness/services/service.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { presented } from '../../support/record.ts';

const never = new Promise<never>(() => {});
const params = check(paramsSchema, {}, 'live-clip') as Params;
const study = {
  network: { hosts: { server: fakeHost('true'), client: fakeHost('true', '', 'client') } },
  scratch: '/',
  headed: false,
} as unknown as StudyContext;
const trial = { directory: '/', sender() {}, frames() {}, stats() {}, page() {} } as unknown as TrialContext;

/** A media server and a browser that note what is asked of them; `opens`: whether the server opens its stream. */
function parts(opens: () => Promise<void> = async () => {}) {
  const done: string[] = [];
  const answers: Record<string, unknown> = {
    'coexist.timeMs()': nowMs(),
    'globalThis.coexist?.status()': { state: 'playing' },
    'coexist.drain()': { status: { state: 'playing', presentedFrames: 1 }, frames: [presented(7, 1)], stats: null },
  };
  const server = {
    failed: never,
    alive: true,
    loaded: { url: 'http://10.0.1.2:8080/' },
    open: async () => {
      done.push('stream opened');
      await opens();
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
  return { done, arm: () => ArmedViewing.arm(server, study, trial, params, launch) };
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

test('a browser whose use never begins, or fails to begin, is closed', async () => {
  const unused = parts();
  await (await unused.arm()).stop();
  assert.deepEqual(unused.done, ['browser started', 'browser closed']);
  const failing = parts(() => Promise.reject(new CoexistError('server-failed', 'no stream')));
  await assert.rejects((await failing.arm()).begin(), { code: 'server-failed' });
  assert.deepEqual(failing.done, ['browser started', 'stream opened', 'browser closed']);
});
