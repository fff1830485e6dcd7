/** Tests of browsers that no longer answer. Every wait for one ends with a line of error, and the browser is killed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../../../core/system/deadline.ts';
import { localHost } from '../../../../../core/system/local-host.ts';
import { startTicks } from '../../../../../core/system/process-id.ts';
import { place, screenOf } from '../../../../../harness/demo/windows.ts';
import { openCallPage } from '../../../../../harness/services/chromium-call/pages.ts';
import { IsolatedWorld } from '../../../../../harness/trial/browser/isolated-world.ts';
import { type BrowserWindow, openBrowser } from '../../../../../harness/trial/browser/launch.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { standIn } from '../../support/stand-in.ts';

const silence = () => new Promise<never>(() => {});
const overdue = {
  code: 'browser-died',
  message: "timed out after 0.1 s waiting for the browser's page to answer",
};
const ms = 50;

/** Returns a page whose session does not answer `unanswered`. For "newCDPSession" the page has no session. */
function pageSilentAt(unanswered: string): BrowserWindow['page'] {
  const send = async (method: string) =>
    method === unanswered ? silence() : { frameTree: { frame: { id: '1' } }, windowId: 1 };
  const newCDPSession = async () => (unanswered === 'newCDPSession' ? silence() : { send, on: () => {} });
  const page = { context: () => ({ newCDPSession }), mainFrame: () => page, on: () => page, evaluate: silence };
  return page as unknown as BrowserWindow['page'];
}

for (const unanswered of [
  'newCDPSession',
  'Page.enable',
  'Runtime.enable',
  'Page.addScriptToEvaluateOnNewDocument',
  'Page.getFrameTree',
])
  test(`a page that does not answer to ${unanswered} gets no world of ours`, { timeout: 60_000 }, async () => {
    await assert.rejects(IsolatedWorld.open(pageSilentAt(unanswered), '', ms), overdue);
  });

/** Returns a page whose session gives these answers, and reports one context of ours and several invalid ones. */
function pageThatAnswers(answers: Record<string, unknown>, sent: object[] = []): BrowserWindow['page'] {
  const listeners = new Map<string, (told: unknown) => void>();
  const session = {
    on: (event: string, listener: (told: unknown) => void) => void listeners.set(event, listener),
    async send(method: string, params: object) {
      sent.push({ method, ...params });
      if (method === 'Runtime.enable')
        for (const context of [
          null,
          5,
          { id: 'x', name: 'coexist' },
          { id: 7, name: 'coexist', auxData: { frameId: '1' } },
          { id: 9, name: '', auxData: { frameId: '1', isDefault: true } },
        ])
          listeners.get('Runtime.executionContextCreated')!({ context });
      return answers[method] ?? { frameTree: { frame: { id: '1' } } };
    },
  };
  const page = { context: () => ({ newCDPSession: async () => session }), mainFrame: () => page, on: () => page };
  return page as unknown as BrowserWindow['page'];
}

test("a second script runs in the page's own world, and is asked there", async () => {
  const sent: { method?: string; source?: string; worldName?: string; contextId?: number }[] = [];
  const page = pageThatAnswers({ 'Runtime.evaluate': { result: { type: 'number', value: 1 } } }, sent);
  const world = await IsolatedWorld.open(page, 'ours', ms, 'of the page');
  assert.deepEqual(
    sent.flatMap(({ source, worldName }) => (source === undefined ? [] : [[source, worldName]])),
    [
      ['ours', 'coexist'],
      ['of the page', undefined],
    ],
  );
  assert.deepEqual(await world.askFrames('1', ms), [1]);
  assert.deepEqual(await world.askFrames('1', ms, 'page'), [1]);
  assert.deepEqual(
    sent.flatMap(({ contextId }) => contextId ?? []),
    [7, 9],
  );
});

test("a browser's answers about our world are checked", async () => {
  for (const answer of [null, 5, {}, { frameTree: { frame: { id: 5 } } }])
    await assert.rejects(IsolatedWorld.open(pageThatAnswers({ 'Page.getFrameTree': answer ?? [] }), '', ms), {
      code: 'browser-died',
      message: /^the browser's answer to Page.getFrameTree: /,
    });
  const ask = async (answer: unknown) =>
    (await IsolatedWorld.open(pageThatAnswers({ 'Runtime.evaluate': answer }), '', ms)).ask('1', ms);
  assert.equal(await ask({ result: { type: 'number', value: 1 } }), 1);
  for (const answer of [5, {}, { result: null }, { result: {}, exceptionDetails: { text: 5 } }])
    await assert.rejects(ask(answer), {
      code: 'browser-died',
      message: /^the browser's answer to Runtime.evaluate: /,
    });
  await assert.rejects(ask({ result: {}, exceptionDetails: { text: 'one\ntwo' } }), {
    code: 'browser-failed',
    message: 'the page failed: one',
  });
});

test('a window of the demonstration that does not tell its screen ends it', { timeout: 60_000 }, async () => {
  await assert.rejects(screenOf({ page: pageSilentAt('') }, ms), overdue);
});

for (const unanswered of ['newCDPSession', 'Browser.getWindowForTarget', 'Browser.setWindowBounds'])
  test(`one that does not answer to ${unanswered} stays where it is, with a line`, { timeout: 60_000 }, async t => {
    const said = t.mock.method(process.stderr, 'write', () => true);
    await place({ page: pageSilentAt(unanswered) }, { left: 0, top: 0, width: 1, height: 1 }, ms);
    const lines = said.mock.calls.map(call => String(call.arguments[0]));
    assert.deepEqual(lines, [`the window with the controls stays where it is: ${overdue.message}\n`]);
  });

test('a page of a call whose requests cannot be answered is not waited for', { timeout: 60_000 }, async () => {
  const page = { route: silence } as unknown as BrowserWindow['page'];
  await assert.rejects(openCallPage({ page } as BrowserWindow, 'caller', ms), overdue);
});

/**
 * Program that answers Playwright until a page is open, with the fields that Playwright reads. Then it answers no more.
 */
const browserProgram = `
  const { createReadStream, writeSync, writeFileSync } = require('node:fs');
  writeFileSync(process.argv[2], String(process.pid));
  const say = message => writeSync(4, JSON.stringify(message) + '\\0');
  const targetInfo = { targetId: 'T', type: 'page', url: 'about:blank', title: '', attached: true, browserContextId: 'C' };
  const frame = { id: 'T', loaderId: 'L', url: 'about:blank', securityOrigin: '', mimeType: 'text/html' };
  const answers = {
    'Browser.getVersion': { product: 'HeadlessChrome/140.0.0.0', userAgent: 'silent', revision: '@0' },
    'Target.createBrowserContext': { browserContextId: 'C' },
    'Target.createTarget': { targetId: 'T' },
    'Page.getFrameTree': { frameTree: { frame } },
    'Page.addScriptToEvaluateOnNewDocument': { identifier: '1' },
    'Browser.getWindowForTarget': { windowId: 1, bounds: {} },
  };
  const unanswered = ['Target.attachToTarget', 'Browser.close', 'Target.disposeBrowserContext'];
  let rest = '';
  createReadStream('', { fd: 3 }).setEncoding('utf8').on('data', text => {
    const parts = (rest + text).split('\\0');
    rest = parts.pop();
    for (const { id, method, sessionId } of parts.map(part => JSON.parse(part))) {
      if (unanswered.includes(method)) continue;
      if (method === 'Target.createTarget')
        say({ method: 'Target.attachedToTarget', params: { sessionId: 'S', targetInfo, waitingForDebugger: true } });
      say({ id, sessionId, result: answers[method] ?? {} });
    }
  });
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);`;

test('a browser that answers nothing any more is killed when it is to close', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const idFile = join(folder, 'pid');
  const words = [process.execPath, '-e', browserProgram, 'browser', idFile];
  const executable = standIn(
    folder,
    'browser',
    `exec ${words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}`,
  );
  const options = { executable, host: localHost, scratch: folder, headed: false, isTrusted: true };
  const window = await openBrowser({ ...options, width: 640, height: 360 });
  const pid = Number(readFileSync(idFile, 'utf8'));
  assert.ok(startTicks(pid) !== undefined);
  await assert.rejects(IsolatedWorld.open(window.page, '', ms), overdue);
  await window.close();
  await until(() => (startTicks(pid) === undefined ? true : undefined), 30_000, 'the browser to be gone');
});
