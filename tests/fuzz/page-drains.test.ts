/** Whatever the page of a service tells, it is what such a page can tell, or refused in one line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import type { z } from '../../core/schema/schema.ts';
import { videoSchema } from '../../harness/services/abr-video/drain.ts';
import { callerSchema } from '../../harness/services/chromium-call/caller-answers.ts';
import { checkedAnswer } from '../../harness/services/shared/page-values.ts';
import { transferSchema } from '../../harness/services/shared/transfer-drain.ts';
import { drainSchema, statusSchema } from '../../harness/services/viewer-drain.ts';
import { checkedTiming, Screenshots } from '../../harness/services/web-page/reading.ts';
import { callerDrain, transferDrain, videoDrain, viewerDrain } from '../unit/harness/services/support/page-answers.ts';
import { filteredRows, header, pngFile } from '../unit/harness/services/web-page/support/png-file.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261126;
const timeMs = 1.79e12;
const screenshotPng = pngFile(header(3), filteredRows(3));
const page = "the service's page on right-1";

/** What Playwright also makes of a browser's answer. */
const strange = fc.constantFrom<unknown>(
  undefined,
  NaN,
  Infinity,
  -Infinity,
  10n,
  new Date(0),
  new Error('\n'),
  () => {},
);
const holdsItself: Record<string, unknown> = {};
holdsItself['self'] = holdsItself;

/** The value with another number, or a strange value, in one of its places. */
function oneOther(value: unknown): fc.Arbitrary<unknown> {
  const places: (string | number)[][] = [];
  const look = (node: unknown, path: (string | number)[]) => {
    if (typeof node !== 'object' || node === null) places.push(path);
    else for (const [key, inner] of Object.entries(node)) look(inner, [...path, key]);
  };
  look(value, []);
  const other = fc.oneof(fc.nat(100_000), fc.double({ min: 0, max: 1e18 }), fc.double(), strange);
  return fc.tuple(fc.constantFrom(...places), other).map(([path, put]) => {
    const copy = structuredClone(value);
    const holder = path.slice(0, -1).reduce((node, key) => (node as Record<string, unknown>)[key], copy as unknown);
    (holder as Record<string, unknown>)[path.at(-1)!] = put;
    return copy;
  });
}

/** Every number is finite, nothing but what JSON has is in it. */
function assertPlain(value: unknown): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), String(value));
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) assertPlain(inner);
  else assert.ok(value === null || ['string', 'boolean'].includes(typeof value), typeof value);
}

async function tried(
  read: (told: unknown) => void | Promise<void>,
  told: unknown,
  seen: { taken: number; refused: number },
): Promise<void> {
  try {
    await read(told);
    seen.taken++;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    seen.refused++;
    assert.ok(error instanceof CoexistError && error.code === 'service-failed', String(error));
    assert.ok(error.message.startsWith(page), error.message);
    assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
  }
}

const bySchema = (schema: z.ZodType) => (told: unknown) => {
  const got = checkedAnswer(schema, told, page);
  assertPlain(got);
  assert.deepEqual(Object.keys(got as object).length, Object.keys(told as object).length);
};

const drain = viewerDrain(timeMs);
const failed = { state: 'failed', failure: { code: 'refused', message: 'no\nmore' }, presentedFrames: 0 };
const timing = { originMs: timeMs, loadMs: 812.5, firstContentMs: 300, bytes: 2e6 };
for (const [what, read, values] of [
  ['a status', bySchema(statusSchema), [drain.status, failed]],
  ['live-clip and the callee of chromium-call', bySchema(drainSchema), [drain]],
  ['the caller of chromium-call', bySchema(callerSchema), [callerDrain(timeMs)]],
  ['abr-video', bySchema(videoSchema), [videoDrain(timeMs)]],
  ['download and batch-download', bySchema(transferSchema), [transferDrain(timeMs)]],
  ['the times of web-page', told => assertPlain(checkedTiming(told, page)), [timing]],
] as [string, (told: unknown) => void, unknown[]][]) {
  test(what, async () => {
    const seen = { taken: 0, refused: 0 };
    for (const value of values) await tried(read, value, seen);
    assert.deepEqual(seen, { taken: values.length, refused: 0 }, 'what a real page tells is taken');
    await tried(read, holdsItself, seen);
    assert.equal(seen.refused, 1);
    const told = fc.oneof(fc.oneof(...values.map(oneOther)), changed(values), fc.anything(), strange);
    await fc.assert(
      fc.asyncProperty(told, value => tried(read, value, seen)),
      effort(seed, 1000),
    );
    assert.ok(seen.taken > 5 && seen.refused > 16, JSON.stringify(seen));
  });
}

test('the screenshots of web-page', async () => {
  const seen = { taken: 0, refused: 0 };
  const real = { data: screenshotPng.toString('base64'), sessionId: 1, metadata: { offsetTop: 0, timestamp: 1.79e9 } };
  const read = async (told: unknown) => {
    const screenshots = new Screenshots(page);
    assert.ok(Number.isInteger(screenshots.add(told)));
    for (const { timeMs: lookMs, cells } of await screenshots.looks(timeMs)) {
      assert.ok(Math.abs(lookMs) <= 3600e3);
      assert.ok(cells.every(Number.isFinite));
    }
  };
  await tried(read, real, seen);
  assert.deepEqual(seen, { taken: 1, refused: 0 });
  const damaged = fc.tuple(fc.nat(screenshotPng.length - 1), fc.nat(255)).map(([at, byte]) => {
    const png = Buffer.from(screenshotPng);
    png[at] = byte;
    return { ...real, data: png.toString('base64') };
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, oneOther(real), changed([real]), fc.anything()), told =>
      tried(read, told, seen),
    ),
    effort(seed, 1000),
  );
  assert.ok(seen.taken > 50 && seen.refused > 50, JSON.stringify(seen));
});
