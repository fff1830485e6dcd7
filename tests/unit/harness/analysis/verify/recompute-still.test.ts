/** Tests the still pictures of the second implementation, and what it does with pauses of the sender. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../../../core/random.ts';
import { plugin as frameRate } from '../../../../../harness/analysis/metrics/frame-rate/index.ts';
import { plugin as freeze } from '../../../../../harness/analysis/metrics/freeze/index.ts';
import { plugin as stall } from '../../../../../harness/analysis/metrics/stall/index.ts';
import { plugin as stillPicture } from '../../../../../harness/analysis/metrics/still-picture/index.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type HandMade, linesOf, startMs, writeRun } from './hand-made.ts';
import { skip, verified, verifierIn } from './verifier.ts';

describe('still pictures recomputed by Python', { skip }, () => {
  const place = temporaryFolder();
  const verify = verifierIn(place);
  const differing = async (made: HandMade, count: number | null, seconds: number | null) => {
    const stated = { 'still-picture-count': count, 'still-picture-time': seconds } as Record<string, number>;
    const all = await verify({ ...made, stated: { ...made.stated, ...stated } });
    return all.differing.filter(name => name.endsWith(' of 0001-base')).map(name => name.split(' ')[0]!);
  };

  test('frames that repeat the picture make it stand still, without the stalls in that time', async () => {
    // the picture changes at 5.98 s and at 6.5 s
    assert.deepEqual(await differing({ repeatedMs: [6000, 6500] }, 1, 0.52), []);
    assert.deepEqual(await differing({ repeatedMs: [6000, 6500] }, 0, 0), [
      'still-picture-count',
      'still-picture-time',
    ]);
    assert.deepEqual(await differing({ repeatedMs: [6000, 6500] }, 1, 0.5), ['still-picture-time']);
    // from 3.88 s to 4.4 s, with the gap of 300 ms from 4 s on
    assert.deepEqual(await differing({ repeatedMs: [3900, 4400] }, 1, 0.22), []);
    // 0.2 s are no longer than the threshold of a stall, and the gap alone is a stall
    assert.deepEqual(await differing({ repeatedMs: [6000, 6180] }, 0, 0), []);
    assert.deepEqual(await differing({}, 0, 0), []);
    // it begins before the window, and lasts until after it
    assert.deepEqual(await differing({ repeatedMs: [-500, 480] }, 1, 0.48), []);
    assert.deepEqual(await differing({ repeatedMs: [9000, 20_000] }, 1, 1.02), []);
  });

  test('a pause of the sender is no stall, no freeze and no still picture', async () => {
    const none = { 'stall-count': 0, 'stall-time': 0, 'freeze-count': 0, 'freeze-time': 0 };
    // the pause takes 0.3 of 10 s, so rates are over 9.7 s
    const rates = { 'frame-rate': 486 / 9.7, goodput: 1e7 / 9.7 };
    const paused: HandMade = {
      pausedMs: [4000, 4300],
      spoil: ({ trials }) => {
        for (const { together } of trials) together!['goodput'] = 3e7 / 9.7;
      },
    };
    const jain = (1 / 9.7 + 3 / 9.7) ** 2 / (2 * ((1 / 9.7) ** 2 + (3 / 9.7) ** 2));
    assert.deepEqual(await differing({ ...paused, stated: { ...none, ...rates, 'jain-index': jain } }, 0, 0), []);
    assert.deepEqual(await differing({ ...paused, stated: rates }, 0, 0), [
      'stall-count',
      'stall-time',
      'freeze-count',
      'freeze-time',
    ]);
    // the picture stands still from the end of the pause to 4.8 s
    const made: HandMade = { ...paused, repeatedMs: [4300, 4800] };
    assert.deepEqual(await differing({ ...made, stated: { ...none, ...rates } }, 1, 0.5), []);
  });

  test('of random frames and pauses the values are those of the summary', async () => {
    const random = seededRandom(7);
    let found = 0;
    for (let k = 0; k < 6; k++) {
      const path = join(place, `random-${k}`);
      const callbacks: [number, number][] = [];
      for (let [timeMs, count] = [startMs - 2000, 0]; timeMs < startMs + 12_000; count++) {
        callbacks.push([timeMs, count + 1 + Math.floor(0.1 + random.next())]);
        timeMs += random.next() < 0.01 ? 400 * random.next() : 20;
      }
      const fromMs = Math.floor(9000 * random.next());
      const quantities = { 'still-picture-count': 0, 'still-picture-time': 0 };
      const made: HandMade = {
        callbacks,
        stated: quantities,
        ...(k % 2 === 0 ? {} : { pausedMs: [fromMs, fromMs + 700] }),
      };
      writeRun(path, made);
      // spans of frames repeat the picture
      let repeats = false;
      const sent = callbacks.map(([timeMs], i) => {
        if (random.next() < 0.05) repeats = !repeats;
        const size = { key: random.next() < 0.02, bytes: repeats ? 30 : 31 + 3000 * random.next(), packets: 2 };
        return { frame: i, rtpTimestamp: i, captureMs: timeMs - 57, ...size };
      });
      const folder = join(path, 'trials/0001-base');
      writeFileSync(join(folder, 'applications/call/frames.sent.jsonl'), linesOf(sent));
      const record = new TrialRecord(JSON.parse(readFileSync(join(folder, 'trial.json'), 'utf8')) as TrialFile, folder);
      const still = await stillPicture.compute(record);
      found += still['still-picture-count']!;
      const stated = {
        ...(await frameRate.compute(record)),
        ...(await stall.compute(record)),
        ...(await freeze.compute(record)),
        ...still,
      };
      const summary = JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8')) as {
        trials: { metrics: Record<string, number | null> }[];
      };
      Object.assign(summary.trials[0]!.metrics, stated);
      writeFileSync(join(path, 'summary.json'), JSON.stringify(summary));
      const rows = (await verified(path)).rows.filter(row => row.place === '0001-base');
      const wanted = rows.filter(({ metric }) => /^(still-picture|stall|freeze|frame-rate$)/.test(metric));
      assert.deepEqual(wanted.map(({ metric }) => metric).sort(), [
        'frame-rate',
        'freeze-count',
        'freeze-time',
        'stall-count',
        'stall-time',
        'still-picture-count',
        'still-picture-time',
      ]);
      assert.deepEqual(
        wanted.filter(({ differs }) => differs),
        [],
        `run ${k}`,
      );
    }
    assert.ok(found > 6, `${found} still pictures`);
  });
});
