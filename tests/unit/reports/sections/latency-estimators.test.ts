import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as estimatorsSection } from '../../../../reports/sections/latency-estimators/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, presented, startMs, stats } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const captures = every(20, startMs - 1000, endMs - 200);
/** A trial whose frames take 80 ms, where the browser says 20 ms for the way and 30 ms for the jitter buffer. */
const made = {
  series: {
    'frames.sent': captures.map((captureMs, frame) => ({ frame, rtpTimestamp: 7 * frame, captureMs })),
    'frames.presented': captures.map((captureMs, frame) => presented(captureMs + 80, frame + 1, 7 * frame)),
    stats: every(1000, startMs, endMs).map(timeMs => ({
      ...stats(timeMs, {
        jitterBufferDelay: 1.5 * (timeMs - startMs),
        jitterBufferEmittedCount: 50 * (timeMs - startMs),
      }),
      candidatePair: { currentRoundTripTime: 0.04 },
    })),
  },
};

const pageOf = async (primary: string[] | undefined) => {
  const plan = planOf({
    conditions: { alone: conditions.alone },
    run: { window: '10s', repeats: 1 },
    ...(primary === undefined ? {} : { primary }),
  });
  return (await renderSections([estimatorsSection], plan, [made])).page;
};

test('the errors of each number that the browser told are a row of the table', async () => {
  const document = parsePage(await pageOf(['jitter-buffer-error-p95']));
  const rows = [...document.querySelectorAll('#latency-estimators tbody tr')].map(row =>
    row.textContent.replace(/\s+/g, ' ').trim(),
  );
  assert.deepEqual(rows, [
    'RTT/2 + jitterBufferDelayframe latencyerror, median−30.0 ms',
    'its size, 95th percentile30.0 ms',
    'captureTimeframe latencyerror, median−30.0 ms',
    'its size, 95th percentile30.0 ms',
  ]);
});

test('a study that does not ask for them has no table', async () => {
  assert.equal(await pageOf(undefined), '');
  assert.equal(await pageOf(['frame-latency-p95']), '');
});
