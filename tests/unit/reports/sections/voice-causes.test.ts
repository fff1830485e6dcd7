import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clipLines,
  heardLines,
  heardSamples,
  type Listening,
  sentLines,
} from '../../harness/analysis/derive/voice/spoken.ts';
import { packetsOf, type Way } from '../../harness/analysis/derive/voice/way.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, startMs } from '../../harness/support/record.ts';
import { textOf } from '../support/faulty-run.ts';
import { conditions, parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();
const spokenMs = startMs - 2000;

/** A trial in which the frames of these times are not heard, for 100 ms after they were spoken, and what became of them. */
function trial(missing: (ms: number) => Way | null) {
  const listening: Listening = ms => (missing(ms - 100) === null ? ms - 100 : null);
  return {
    series: {
      'voice.clip': clipLines,
      'voice.sent': sentLines(spokenMs),
      'voice.heard': heardLines(heardSamples(listening, 1000, endMs - startMs + 2000), startMs - 1000),
      ...packetsOf(spokenMs, endMs - spokenMs, ms => missing(ms) ?? {}),
    },
  };
}

const between = (ms: number, fromMs: number, lengthMs: number) => ms >= fromMs && ms < fromMs + lengthMs;
const whole = trial(() => null);
const broken = trial(ms =>
  between(ms, 4000, 600) ? { drop: 'overflow' } : between(ms, 7000, 200) ? { sojournMs: Math.max(1, 7260 - ms) } : null,
);
const plan = (repeats: number) => planOf({ conditions: { alone: conditions.alone }, run: { window: '10s', repeats } });

test('each interruption is listed with its cause and its evidence, and the shares of the causes are drawn', async () => {
  const { page, summary } = await renderRun(folder, 'broken', plan(2), [broken, whole]);
  const document = parsePage(page);
  const rows = [...document.querySelectorAll('#voice-causes tbody tr')].map(row =>
    row.textContent.replace(/\s+/g, ' '),
  );
  assert.equal(rows.length, 2);
  assert.match(
    rows[0]!,
    /0001-alone ?Alone 2\.\d+ s (59|60|61)\d(\.\d)? ms overflow loss 30 of the 3[01] frames .* by the full queue/,
  );
  assert.match(
    rows[1]!,
    /0001-alone ?Alone 5\.\d+ s (19|20)\d(\.\d)? ms bottleneck queue the frame spoken at 5\.\d\d s waited/,
  );
  const label = document.querySelector('#voice-causes svg')!.getAttribute('aria-label')!;
  assert.match(
    label,
    /Alone 2 interruptions, 0\.[78]\d* s; Alone, bottleneck queue: 2[456](\.\d)? %; Alone, overflow loss: 7[456](\.\d)? %/,
  );
  assert.match(textOf(page, 'voice-causes')!, /by cause: Alone 2 interruptions, 0\.[78]\d* s\./);
  for (const link of document.querySelectorAll('#voice-causes a'))
    assert.ok(document.getElementById(link.getAttribute('href')!.slice(1)) !== null, 'the trial is there');
  const { metrics } = summary.trials[0]!;
  assert.ok(Math.abs(metrics!['voice-interrupted-by-overflow-loss']! - 0.06) < 0.004);
  assert.ok(Math.abs(metrics!['voice-interrupted-by-queue']! - 0.02) < 0.004);
});

test('where the voice was not interrupted, or there is none, there is no section', async () => {
  assert.equal(textOf((await renderRun(folder, 'whole', plan(1), [whole])).page, 'voice-causes'), undefined);
  assert.equal(textOf((await renderRun(folder, 'mute', plan(1), [{}])).page, 'voice-causes'), undefined);
});
