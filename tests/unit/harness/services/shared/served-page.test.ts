import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransferDrain, VideoDrain } from '../../../../../client/wire.ts';
import type { z } from '../../../../../core/schema/schema.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import { networkBetween } from '../../../../../core/system/network.ts';
import { SeriesListeners } from '../../../../../harness/record/schema/series-listeners.ts';
import { type PageRecord, pageSeries } from '../../../../../harness/record/series/page.ts';
import { videoSchema } from '../../../../../harness/services/abr-video/drain.ts';
import type { StudyContext, TrialContext } from '../../../../../harness/services/service.ts';
import type { ContentServer } from '../../../../../harness/services/shared/content-server.ts';
import { ServedPage } from '../../../../../harness/services/shared/served-page.ts';
import { transferSchema } from '../../../../../harness/services/shared/transfer-drain.ts';
import type { BareBrowser, BarePage } from '../../../../../harness/trial/browser/bare.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { transferDrain, videoDrain } from '../support/page-answers.ts';

process.env['CHROMIUM_PATH'] = process.execPath; // the program is not started

const never = new Promise<never>(() => {});
const end = (name: string, address: string) => ({ host: fakeHost('true', '', name), address });
const network = (...further: string[]) =>
  networkBetween(
    end('left-1', '10.0.1.2'),
    end('right-1', '10.0.2.2'),
    further.map((name, k) => end(name, `10.0.2.${k + 3}`)),
  );

/** Opens a page that gives these answers. Returns the page, the records about it and the parts that were closed. */
async function open(answers: Record<string, unknown>, name = 'the download', further: string[] = []) {
  const study: StudyContext = { network: network(...further), scratch: '/', headed: false };
  const written: PageRecord[] = [];
  const closed: string[] = [];
  const listeners = new SeriesListeners().on(pageSeries, record => written.push(record));
  const trial: TrialContext = { directory: '/', write: listeners.tell };
  const server = {
    failed: never,
    pageOrigin: 'http://10.0.1.2:8100',
    origins: [],
    transport: null,
    browser: { quic: false, switches: [] },
    read: async () => {},
    close: async () => void closed.push('server'),
  } satisfies ContentServer;
  const page = {
    goTo: async () => {},
    ready: async () => {},
    ask: async (expression: string) => answers[expression],
  } as unknown as BarePage;
  const browser: BareBrowser = {
    version: '150',
    confinement: {} as BareBrowser['confinement'],
    died: never,
    newPage: async () => page,
    close: async () => void closed.push('browser'),
  };
  const options = {
    name,
    congestion: { congestionControl: 'cubic' },
    program: new URL('file:///'),
    config: {},
    origins: 1,
    protocol: 'http/1.1',
    width: 640,
    height: 360,
  } as unknown as Parameters<typeof ServedPage.open>[2];
  const opened = await ServedPage.open(
    study,
    trial,
    options,
    async () => server,
    async () => browser,
  ).catch((error: unknown) => error as Error);
  return { opened, written, closed };
}

async function drained(told: unknown, schema: z.ZodType<TransferDrain | VideoDrain>, name?: string) {
  const { opened, written } = await open({ 'coexist.timeMs()': nowMs(), 'coexist.drain()': told }, name);
  assert.ok(opened instanceof ServedPage);
  return { drain: opened.drain(schema).then(([first]) => first), written };
}

test('what a page tells is taken, and its vitals are written', async () => {
  const { drain, written } = await drained(transferDrain(), transferSchema);
  assert.equal((await drain).receivedBytes, 2e6);
  assert.equal(written.length, 1);
  const video = await drained(videoDrain(), videoSchema, 'the video');
  assert.equal((await video.drain).receivedBytes, 2e6);
});

test('every client has the page in a browser of its own, and all are closed', async () => {
  const answers = { 'coexist.timeMs()': nowMs(), 'coexist.drain()': transferDrain() };
  const { opened, written, closed } = await open(answers, 'the download', ['right-2', 'right-3']);
  assert.ok(opened instanceof ServedPage);
  const drained = await opened.drain(transferSchema);
  assert.deepEqual([drained.length, written.length], [3, 3]);
  await opened.close();
  assert.deepEqual(closed, ['browser', 'browser', 'browser', 'server']);
  const failed = await open({ 'coexist.timeMs()': 'late' }, 'the download', ['right-2']);
  assert.ok(failed.opened instanceof Error);
  assert.deepEqual(failed.closed, ['browser', 'browser', 'server']);
});

test('what a page cannot tell fails the service, which is named with its host; nothing is written', async () => {
  for (const [told, schema, name, message] of [
    [{ ...transferDrain(), receivedBytes: -5 }, transferSchema, 'the download', /receivedBytes: Too small/],
    [{ ...transferDrain(), timeMs: nowMs() + 1e9 }, transferSchema, 'the batch download', /its time is \d+ s ahead/],
    [undefined, transferSchema, 'the batch download', /is missing/],
    [{ ...videoDrain(), rung: 7 }, videoSchema, 'the video', /rung: Too big/],
    [{ ...videoDrain(), bufferS: Infinity }, videoSchema, 'the video', /bufferS: /],
    [{ ...videoDrain(), protocols: Array(1000).fill('h2') }, videoSchema, 'the video', /protocols: Too big/],
    [
      { ...videoDrain(), segments: [{ ...videoDrain().segments[0]!, number: 450 }] },
      videoSchema,
      'the video',
      /segments\.0\.number: Too big/,
    ],
  ] as const) {
    const { drain, written } = await drained(told, schema, name);
    await assert.rejects(drain, error => {
      const { code, message: said } = error as Error & { code: string };
      assert.equal(code, 'service-failed');
      assert.ok(said.startsWith(`${name}'s page on right-1`), said);
      assert.match(said, message);
      return true;
    });
    assert.deepEqual(written, []);
  }
});

test('a page without a proper clock is no page of a trial, and leaves nothing', async () => {
  for (const told of [undefined, 'now', NaN, -1]) {
    const { opened, closed } = await open({ 'coexist.timeMs()': told });
    assert.ok(opened instanceof Error && !(opened instanceof ServedPage));
    assert.equal((opened as Error & { code?: string }).code, 'service-failed');
    assert.match(opened.message, /^the download's page on right-1/);
    assert.deepEqual(closed, ['browser', 'server']);
  }
});
