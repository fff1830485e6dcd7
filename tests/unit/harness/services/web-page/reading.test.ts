import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedTiming, Screenshots } from '../../../../../harness/services/web-page/reading.ts';
import { filteredRows, header, pngFile } from './support/png-file.ts';

const page = "web-page's page on right-1";
const png = pngFile(header(3), filteredRows(3));
const originMs = 1.79e12;
const screenshot = { data: png.toString('base64'), sessionId: 7, metadata: { timestamp: 1.79e9 + 0.5 } };

test('screenshots become looks, those without a time are only answered', async () => {
  const screenshots = new Screenshots(page);
  assert.equal(screenshots.add(screenshot), 7);
  assert.equal(screenshots.add({ ...screenshot, metadata: { deviceWidth: 1280 } }), 7);
  assert.deepEqual(
    (await screenshots.looks(originMs)).map(({ timeMs }) => timeMs),
    [500],
  );
});

test('what is no screenshot fails the service, which is named with its host', async () => {
  for (const told of [
    null,
    {},
    { ...screenshot, data: 5 },
    { ...screenshot, data: 'A'.repeat(2e6) },
    { ...screenshot, sessionId: '7' },
    { ...screenshot, metadata: { timestamp: Infinity } },
    { ...screenshot, metadata: null },
  ])
    assert.throws(() => new Screenshots(page).add(told), {
      code: 'service-failed',
      message: /^web-page's page on right-1: a screenshot: /,
    });
  const huge = pngFile(header(3, { width: 1280, height: 720 }), filteredRows(3));
  for (const [told, message] of [
    [{ ...screenshot, data: 'not an image' }, /right-1: the browser's screenshot cannot be read: it is no PNG file$/],
    [{ ...screenshot, data: png.subarray(0, 40).toString('base64') }, /screenshot cannot be read: it is cut off$/],
    [{ ...screenshot, data: huge.toString('base64') }, /it has 1280x720 pixels/],
    [{ ...screenshot, metadata: { timestamp: 1 } }, /a screenshot is -1789999999 s from the start of its load$/],
  ] as const) {
    const screenshots = new Screenshots(page);
    screenshots.add(told);
    await assert.rejects(screenshots.looks(originMs), { code: 'service-failed', message });
  }
});

/** Returns `count` screenshots of `bytes` bytes each, sixty per second from 0.5 s after the start. */
function painted(count: number, bytes: number, most?: number): Screenshots {
  const screenshots = new Screenshots(page, most);
  const data = Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64');
  for (let k = 0; k < count; k++)
    screenshots.add({ ...screenshot, data, metadata: { timestamp: 1.79e9 + 0.5 + k / 60 } });
  return screenshots;
}

test('a page that is painted all the time is no failure: its screenshots are thinned out', async () => {
  const times = (await painted(6000, png.length, 100).looks(originMs)).map(({ timeMs }) => timeMs);
  assert.ok(times.length > 40 && times.length <= 100, `${times.length} screenshots`);
  assert.equal(times[0], 500, 'the first is kept');
  assert.ok(Math.abs(times.at(-1)! - (500 + (1000 * 5999) / 60)) < 1, 'the last is kept');
  const gaps = times.slice(1).map((ms, k) => ms - times[k]!);
  assert.ok(Math.max(...gaps) < 100_000 / 40, `${Math.max(...gaps)} ms between two`);
});

test('all screenshots of a usual load are kept, and those of one with photographs are kept within bounds', async () => {
  assert.equal((await painted(900, png.length).looks(originMs)).length, 900);
  const photographs = await painted(4000, 300_000).looks(originMs);
  assert.ok(photographs.length > 300 && photographs.length < 900, `${photographs.length} photographs`);
});

test('screenshots with impossible times are thinned out as well', async () => {
  const screenshots = new Screenshots(page, 10);
  for (let k = 0; k < 200; k++) screenshots.add({ ...screenshot, metadata: { timestamp: (k % 2) * 1e10 } });
  await assert.rejects(screenshots.looks(originMs), { code: 'service-failed', message: /from the start of its load$/ });
});

test('times are those of a load', () => {
  const timing = { originMs, loadMs: 812.5, firstContentMs: null, bytes: 2e6 };
  assert.deepEqual(checkedTiming(timing, page), timing);
  for (const change of [{ loadMs: -1 }, { bytes: 1.5 }, { originMs: null }, { firstContentMs: 1e12 }])
    assert.throws(() => checkedTiming({ ...timing, ...change }, page), {
      code: 'service-failed',
      message: /^web-page's page on right-1: its times: /,
    });
});
