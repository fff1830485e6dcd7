import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowMs } from '../../../../core/clock.ts';
import { sleep } from '../../../../core/deadline.ts';
import { Timetable } from '../../../../harness/runner/timetable.ts';
import type { Timed } from '../../../../harness/runner/timetable.ts';

type Event = { what: string; atMs: number };

/** What is done to an application, by the milliseconds since `originMs`. A reading takes `readMs`. */
function timed(
  startMs: number | null,
  stopMs: number | null,
  { originMs, readMs = 0, readLeadMs = 100 }: { originMs: number; readMs?: number; readLeadMs?: number },
): Timed & { events: Event[]; note(what: string): void } {
  const events: Event[] = [];
  const note = (what: string) => void events.push({ what, atMs: nowMs() - originMs });
  return {
    application: { startMs, stopMs },
    readLeadMs,
    events,
    note,
    readOut: async () => {
      note('read');
      await sleep(readMs);
    },
    stop: async () => note('stopped'),
  };
}

test('each begins and ends at its time, whatever its last reading takes within its lead', async () => {
  const originMs = nowMs();
  const brief = timed(100, 900, { originMs, readLeadMs: 500, readMs: 400 });
  const late = timed(300, null, { originMs });
  const whole = timed(null, 700, { originMs });
  const all = [brief, late, whole];
  const table = new Timetable(all, originMs, async index => all[index]!.note('begun'));
  await Promise.race([table.failed, sleep(1200)]);
  await table.end();
  assert.deepEqual(
    all.map(({ events }) => events.map(({ what }) => what)),
    [['begun', 'read', 'stopped'], ['begun'], ['read', 'stopped']],
  );
  const planned = [100, 400, 900, 300, 600, 700];
  for (const [k, { what, atMs }] of all.flatMap(({ events }) => events).entries())
    assert.ok(atMs >= planned[k]! && atMs < planned[k]! + 250, `${what} at ${atMs} ms, not at ${planned[k]} ms`);
});

test('what fails of it is told; what was to come after its end does not come', async () => {
  const originMs = nowMs();
  const [broken, waiting] = [timed(10, null, { originMs }), timed(300, 600, { originMs })];
  const table = new Timetable([broken, waiting], originMs, async index => {
    [broken, waiting][index]!.note('begun');
    throw new Error('it did not begin');
  });
  await assert.rejects(table.failed, /it did not begin/);
  await table.end();
  await sleep(350);
  assert.deepEqual(waiting.events, []);
});
