import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Path, plainLink } from '../../../../../core/vocabulary/link.ts';
import { packetDelays } from '../../../../../harness/analysis/derive/packet-delays.ts';
import { plugin } from '../../../../../harness/analysis/metrics/high-delay/index.ts';
import type { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, every, presented, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
/** Time by which the feedback's clock is behind the page's clock, ms. */
const offsetMs = 3_000_000;

/**
 * Writes frames of two packets every 20 ms. `delayOf`: returns the delay of a frame by its number. The last packet of a
 * frame arrives at the receive time that the presentation of the frame reports, 20 ms before the presentation.
 */
function write(
  name: string,
  delayOf: (frame: number) => number | null,
  { path = {}, heard = true }: { path?: Partial<Path>; heard?: boolean } = {},
): TrialRecord {
  const times = every(20, startMs - 200, endMs - 20);
  const packets = times.flatMap((sentMs, i) =>
    [0, 5].map((later, k) => {
      const delayMs = delayOf(i);
      return {
        sequence: 2 * i + k,
        kind: 'media',
        rtpTimestamp: 3000 * i,
        sentMs: sentMs + later,
        receivedMs: delayMs === null ? null : sentMs + later + delayMs - offsetMs,
        feedbackMs: sentMs + 300,
      };
    }),
  );
  const link = plainLink(40e6, { unit: 'packets', value: 1000 }, ['service', 'flood']);
  return writeRecord(
    join(folder, name),
    {
      packets,
      'frames.presented': times.flatMap((sentMs, i) => {
        const delayMs = delayOf(i);
        return delayMs === null
          ? []
          : [{ ...presented(sentMs + 5 + delayMs + 20, i + 1, 3000 * i), ...(heard ? {} : { receiveMs: null }) }];
      }),
      ping: every(200, startMs, endMs - 200).map((timeMs, i) => ({
        timeMs,
        sequence: i,
        rttMs: i % 5 === 0 ? null : i % 5 === 1 ? 191 : 190,
      })),
    },
    {
      condition: {
        ...condition,
        link: { ...link, paths: { ...link.paths, service: { ...link.paths['service']!, ...path } } },
      },
    },
  );
}

const high = async (record: TrialRecord) => (await plugin.compute(record))['high-delay-packets'];

test("delays are joined through the frames, whatever the feedback's clock says", async () => {
  const delays = (await packetDelays(write('join', () => 35)))!;
  assert.equal(delays.length, 2 * 500); // the packets of the window
  assert.ok(delays.every(delayMs => Math.abs(delayMs - 35) < 1e-6));
});

test('a packet counts whose way and the idle way back take more than 190 ms', async () => {
  const everyFourth = (slowMs: number) => (frame: number) => (frame % 4 === 0 ? slowMs : 30);
  assert.equal(await high(write('slow', everyFourth(191))), 0.25);
  assert.equal(await high(write('edge', everyFourth(189))), 0);
  assert.equal(await high(write('back', everyFourth(161), { path: { downMs: 10, upMs: 30 } })), 0.25);
  assert.equal(await high(write('rtt', everyFourth(161), { path: { downMs: 10, rttMs: 40 } })), 0.25);
  assert.equal(await high(write('less', everyFourth(159), { path: { downMs: 10, rttMs: 40 } })), 0);
});

test('lost packets are not among them', async () => {
  assert.equal(await high(write('lost', frame => (frame % 2 === 0 ? null : frame % 4 === 1 ? 300 : 20))), 0.5);
});

test('where the browser does not tell when a frame came, there is no number', async () => {
  assert.equal(await high(write('deaf', () => 35, { heard: false })), null);
  assert.equal(await high(writeRecord(join(folder, 'none'), {})), null);
});

test('of the probes that were answered, those over 190 ms', async () => {
  assert.equal((await plugin.computeLink!(write('probes', () => 35)))['high-delay-probes'], 0.25);
});
