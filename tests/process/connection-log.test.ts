/** What the called page writes down of its connection, in a real browser: no trial, and nothing is measured. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { PageDrain } from '../../client/wire.ts';
import { localHost } from '../../core/system/local-host.ts';
import { drainSchema } from '../../harness/services/viewer-drain.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { type BrowserWindow, openBrowser } from '../../harness/trial/browser/launch.ts';
import { pageApp } from '../../server/pages/page-app.ts';
import { pages } from '../../server/pages/page-file.ts';

/** For the page: another connection of the same page calls it. */
const called = `(async () => {
  const caller = new RTCPeerConnection({ iceServers: [] });
  caller.addTransceiver('video', { direction: 'sendonly' });
  await caller.setLocalDescription();
  await coexist.answer(caller.localDescription.sdp);
  return coexist.drain();
})()`;

const scratch = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
const server = createServer(pageApp(pages.call, {}));
let browser: BrowserWindow;

describe("a connection's calls and events", () => {
  before(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser({
      executable: findBrowser(),
      host: localHost,
      scratch,
      headed: false,
      width: 320,
      height: 180,
    });
  });
  after(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  test('an answered call is told as the schema wants it, descriptions beginning with their type', async () => {
    await browser.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callee`);
    const told = drainSchema.parse(await browser.page.evaluate<PageDrain>(called));
    const types = told.events.map(({ type }) => type);
    for (const type of [
      'setRemoteDescription',
      'setRemoteDescriptionOnSuccess',
      'createAnswer',
      'createAnswerOnSuccess',
      'setLocalDescription',
      'setLocalDescriptionOnSuccess',
      'signalingstatechange',
      'icecandidate',
      'ontrack',
    ])
      assert.ok(types.includes(type), `${type} is not in: ${types.join(', ')}`);
    for (const { type, value } of told.events) {
      if (/^(set(Local|Remote)Description|createAnswerOnSuccess)$/.test(type))
        assert.match(value, /^\{"type":"(offer|answer)","sdp":"v=0/, type);
      if (type === 'icecandidate') assert.match((JSON.parse(value) as { candidate: string }).candidate, /^candidate:/);
    }
    const times = told.events.map(({ timeMs }) => timeMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.deepEqual((await browser.page.evaluate<PageDrain>('coexist.drain()')).events, [], 'told once');
  });
});
