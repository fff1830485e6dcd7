import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Screenshots, checkedTiming } from '../../../../../harness/services/web-page/reading.ts';
import { filteredRows, header, pngFile } from './support/png-file.ts';

const page = "web-page's page on right-1";
const png = pngFile(header(3), filteredRows(3));
const originMs = 1.79e12;
const screenshot = { data: png.toString('base64'), sessionId: 7, metadata: { timestamp: 1.79e9 + 0.5 } };

test('screenshots become looks, those without a time are only answered', () => {
  const screenshots = new Screenshots(page);
  assert.equal(screenshots.add(screenshot), 7);
  assert.equal(screenshots.add({ ...screenshot, metadata: { deviceWidth: 1280 } }), 7);
  assert.deepEqual(
    screenshots.looks(originMs).map(({ timeMs }) => timeMs),
    [500],
  );
});

test('what is no screenshot fails the service, which is named with its host', () => {
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
    assert.throws(() => screenshots.looks(originMs), { code: 'service-failed', message });
  }
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
