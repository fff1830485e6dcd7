import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../../../core/system/deadline.ts';
import { Scope } from '../../../../core/system/scope.ts';
import { keepTimes, type Timed } from '../../../../harness/trial/timetable.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

type TimedOptions = {
  clock: VirtualClock;
  readMs?: number;
  readLeadMs?: number;
  pauses?: readonly { fromMs: number; toMs: number }[];
};
type Event = { what: string; atMs: number };

/** Returns an application that records the calls to it with their times, ms from now. A reading takes `readMs`. */
function timed(
  startMs: number | null,
  stopMs: number | null,
  { clock, readMs = 0, readLeadMs = 100, pauses = [] }: TimedOptions,
): Timed & { events: Event[]; note(what: string): void } {
  const events: Event[] = [];
  const originMs = clock.nowMs();
  const note = (what: string) => void events.push({ what, atMs: clock.nowMs() - originMs });
  return {
    application: { startMs, stopMs, pauses },
    readLeadMs,
    events,
    note,
    readOut: async () => {
      note('read');
      await sleep(readMs, undefined, clock);
    },
    setPaused: async isPaused => note(isPaused ? 'paused' : 'went on'),
    stop: async () => note('stopped'),
  };
}

test('each begins and ends at its time, whatever its last reading takes within its lead', async () => {
  const clock = new VirtualClock();
  const brief = timed(100, 900, { clock, readLeadMs: 500, readMs: 400 });
  const late = timed(300, null, { clock });
  const whole = timed(null, 700, { clock });
  const all = [brief, late, whole];
  const scope = new Scope();
  const done = keepTimes(all, clock.nowMs(), scope, clock, async index => all[index]!.note('begun'));
  await clock.run(scope.race(sleep(1200, undefined, clock)));
  await done;
  assert.deepEqual(
    all.map(({ events }) => events.map(({ what }) => what)),
    [['begun', 'read', 'stopped'], ['begun'], ['read', 'stopped']],
  );
  assert.deepEqual(
    all.flatMap(({ events }) => events.map(({ atMs }) => atMs)),
    [100, 400, 900, 300, 600, 700],
  );
});

test('it pauses and goes on between its begin and its last reading, as often as planned', async () => {
  const clock = new VirtualClock();
  const pauses = [
    { fromMs: 200, toMs: 300 },
    { fromMs: 300, toMs: 500 },
  ];
  const one = timed(100, 900, { clock, pauses });
  const scope = new Scope();
  const done = keepTimes([one], clock.nowMs(), scope, clock, async () => one.note('begun'));
  await clock.run(scope.race(sleep(1200, undefined, clock)));
  await done;
  assert.deepEqual(
    one.events.map(({ what, atMs }) => [what, atMs]),
    [
      ['begun', 100],
      ['paused', 200],
      ['went on', 300],
      ['paused', 300],
      ['went on', 500],
      ['read', 800],
      ['stopped', 900],
    ],
  );
});

test('what fails of it is told; what was to come after its end does not come', async () => {
  const clock = new VirtualClock();
  const [broken, waiting] = [timed(10, null, { clock }), timed(300, 600, { clock })];
  const scope = new Scope();
  const done = keepTimes([broken, waiting], clock.nowMs(), scope, clock, async index => {
    [broken, waiting][index]!.note('begun');
    throw new Error('it did not begin');
  });
  await assert.rejects(clock.run(scope.race(sleep(1000, undefined, clock))), /it did not begin/);
  await done;
  await clock.run(sleep(350, undefined, clock));
  assert.deepEqual(waiting.events, []);
});
