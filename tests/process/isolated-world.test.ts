/** What is read of a page that lies: its scripts change every interface that a reading goes by. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../../core/system/deadline.ts';
import { localHost } from '../../core/system/local-host.ts';
import { Visit } from '../../harness/services/live-url/visit.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';

const lies = `<script>
  const lie = () => ({ totalVideoFrames: 1e30, droppedVideoFrames: -5 });
  HTMLVideoElement.prototype.getVideoPlaybackQuality = lie;
  for (const [name, value] of [['videoWidth', 99999], ['currentTime', NaN]])
    Object.defineProperty(HTMLMediaElement.prototype, name, { get: () => value, configurable: true });
  const element = () => ({ area: 1e99, stalls: 'many', text: 'x'.repeat(1e8) });
  Object.defineProperty(globalThis, 'coexistElement', { value: element, writable: false });
  performance.getEntriesByType = () => [{ loadEventStart: -1 }];
  performance.getEntriesByName = () => [{ startTime: Infinity }];
  performance.mark('first-contentful-paint', { startTime: 1e9 });
  performance.now = () => 0;
  Array.prototype.sort = () => { throw new Error('no'); };
  globalThis.setInterval = globalThis.setTimeout = () => 0;
  Promise = class { constructor() { throw new Error('no'); } };
</script>`;
/** Moving video that needs no file. */
const video = `<video id="v" width="320" height="180" autoplay muted></video>
<canvas id="c" width="320" height="180" hidden></canvas><script>
  const context = c.getContext('2d');
  let n = 0;
  requestAnimationFrame(function paint() {
    context.fillStyle = 'rgb(' + (n++ % 256) + ',0,0)';
    context.fillRect(0, 0, 320, 180);
    requestAnimationFrame(paint);
  });
  v.srcObject = c.captureStream(30);
</script>`;

describe('a page that lies', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-lies-'));
  let server: Server;
  let port = 0;
  before(async () => {
    server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        request.url === '/framed'
          ? `${lies}<iframe src="http://localhost:${port}/" width="640" height="360"></iframe>`
          : `${lies}<p>text</p>${video}`,
      );
    });
    await new Promise<void>(resolve => {
      server.listen(0, 'localhost', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  for (const [what, path] of [
    ['in the page', '/'],
    ['in a frame', '/framed'],
  ] as const) {
    test(`its video ${what} is read as it is`, async () => {
      const visit = await Visit.open({
        executable: findBrowser(),
        host: localHost,
        scratch,
        headed: false,
        quic: false,
        url: `http://127.0.0.1:${port}${path}`,
        script: null,
        patienceMs: 20_000,
        signal: new AbortController().signal,
      });
      try {
        const { loadMs, firstContentMs } = await visit.begin();
        assert.ok(loadMs! > 0 && loadMs! < 20_000, String(loadMs));
        if (path === '/') assert.ok(firstContentMs! > 0 && firstContentMs! < 20_000, String(firstContentMs));
        const reading = await until(
          async () => {
            const now = await visit.element();
            return now !== null && now.positionS > 0 && now.presentedFrames >= 1 ? now : undefined;
          },
          30_000,
          'the element to play',
          { everyMs: 200 },
        );
        assert.deepEqual([reading.width, reading.height, reading.area], [320, 180, 320 * 180]);
        assert.ok(
          Number.isFinite(reading.positionS) && reading.presentedFrames < 2000 && reading.stalls <= 100,
          JSON.stringify(reading),
        );
      } finally {
        await visit.close();
      }
    });
  }
});
