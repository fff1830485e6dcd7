import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePng, encodePng } from '../../../../../harness/services/web-page/png.ts';
import { makeSite, originsOfPage, pageNames } from '../../../../../harness/services/web-page/site.ts';

const originsOf = (count: number) => Array.from({ length: count }, (_, k) => `http://10.0.1.2:${8100 + k}`);
const bytesOf = (site: ReturnType<typeof makeSite>) =>
  Object.values(site).reduce((sum, { body }) => sum + body.length, 0);

for (const name of pageNames) {
  test(`${name}: the same bytes each time, and everything it names is there`, () => {
    const origins = originsOf(originsOfPage[name]);
    const site = makeSite(name, origins);
    const again = makeSite(name, origins);
    for (const [path, { body }] of Object.entries(site)) assert.ok(body.equals(again[path]!.body), path);
    const named = [...String(site['/']!.body).matchAll(/(?:src|href)="(?:http:\/\/10\.0\.1\.2:\d+)?(\/[^"]*)"/g)].map(
      ([, path]) => path!,
    );
    assert.ok(named.length >= 2);
    for (const path of named) assert.ok(site[path] !== undefined, path);
  });
}

test('as large as the pages they stand for, more images in each', () => {
  const [text, news, grid] = pageNames.map(name => makeSite(name, originsOf(originsOfPage[name])));
  const images = (site: typeof text) => Object.values(site!).filter(({ type }) => type === 'image/png').length;
  assert.deepEqual([text, news, grid].map(images), [2, 40, 32]);
  const megabytes = [text, news, grid].map(site => bytesOf(site!) / 1e6);
  assert.ok(
    megabytes[0]! > 0.15 &&
      megabytes[0]! < 0.4 &&
      megabytes[1]! > 0.5 &&
      megabytes[1]! < 1.5 &&
      megabytes[2]! > 1.2 &&
      megabytes[2]! < 3,
    megabytes.join(', '),
  );
});

test('a news page takes from all of its origins', () => {
  const page = String(makeSite('news', originsOf(24))['/']!.body);
  assert.equal(new Set([...page.matchAll(/http:\/\/10\.0\.1\.2:(\d+)/g)].map(([, port]) => port)).size, 24);
});

test('an image with a palette is a PNG file; what is none is refused', () => {
  const file = encodePng(2, 2, Buffer.from([255, 0, 0, 0, 0, 255]), Buffer.from([0, 1, 1, 0]));
  assert.equal(file.toString('hex', 0, 8), '89504e470d0a1a0a');
  assert.throws(() => decodePng(file), /colour type 3/, 'browsers write no palettes');
  assert.throws(() => decodePng(Buffer.from('nothing')), /it is no PNG file/);
});
