/**
 * Many applications in one trial, on a quiet machine: thirty flows of mixed congestion controls and round-trip times,
 * streams in opposite directions, and streams that begin one after another. It prints what it measures.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { median } from '../../core/stats/quantile.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import type { ApplicationFile, TrialFile } from '../../harness/record/trial-file.ts';
import type { TrialRecord } from '../../harness/record/trial-record.ts';
import { whyNoBbr3 } from '../e2e/support/bbr3.ts';
import { studyHasResults } from '../e2e/support/disturbed.ts';
import { packetsAfterStop } from '../e2e/support/packets-after-stop.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';

/** Runs a definition of one condition and one trial. Skips where the machine disturbs each try, unless `mustCount`. */
async function runOnce(
  context: TestContext,
  definition: object,
  body: (trial: TrialFile, record: TrialRecord) => void | Promise<void>,
  { mustCount = false } = {},
): Promise<void> {
  const place = new Place();
  try {
    const whole = { question: 'Does it hold?', source: 'own', ...definition };
    const trials = mustCount ? [] : ['0001-all']; // a test is skipped for none
    if (!(await studyHasResults(context, place, whole, trials, 400_000))) return;
    const record = RunFolder.open(place.out).record('0001-all');
    await body(record.file, record);
  } finally {
    await place.run(['clean']);
    place.remove();
  }
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
/** "12.3 ms at the median, 40.1 ms at most". */
const spread = (values: readonly number[]) =>
  `${median(values)!.toFixed(1)} ms at the median, ${Math.max(...values).toFixed(1)} ms at most`;

/** A start or a stop against its plan, ms: the median of thirty, and any one of them; the machine may hold up a few. */
const mostLateMs = { median: 50, any: 500 };
const isOnTime = (lateMs: readonly number[]) =>
  lateMs.every(one => one >= 0 && one < mostLateMs.any) && median(lateMs)! < mostLateMs.median;
/** A full queue of the thirty flows' link: 500 packets at 100 Mbit/s. */
const queueMs = 61;
/** Of a flow that was stopped: what TCP sends again. One that goes on sends hundreds. */
const mostPacketsAgain = 10;

const thirty = (controls: readonly string[]) => {
  const rtts = [20, 40, 80];
  return Array.from({ length: 30 }, (_, k) => {
    const [control, rttMs] = [controls[k % controls.length]!, rtts[Math.floor(k / controls.length) % rtts.length]!];
    const group = k % 3;
    return {
      name: `${control}-${rttMs}-${k + 1}`,
      rttMs,
      startMs: 1000 * group,
      stopMs: 9000 + 1000 * group,
      definition: {
        service: { id: 'iperf', congestionControl: control },
        link: { rtt: `${rttMs}ms` },
        start: `${group}s`,
        stop: `${9 + group}s`,
      },
    };
  });
};

/** Where the machine keeps a log, each application's first and last packet. */
function packetsOf({ name, packets }: ApplicationFile): NonNullable<ApplicationFile['packets']> {
  assert.ok(packets != null, `${name} has no packet in the queue log`);
  return packets;
}

describe('many applications', { skip: cannotRun }, () => {
  test('thirty flows begin and end at their times, and their bytes are those of the link', async context => {
    const bbr3 = await whyNoBbr3();
    if (bbr3 !== undefined) context.diagnostic(`without BBRv3: ${bbr3}`);
    const flows = thirty(['cubic', 'bbr', ...(bbr3 === undefined ? ['bbr3'] : [])]);
    await runOnce(
      context,
      {
        title: 'Thirty flows',
        link: { rate: '100mbit', queue: { limit: '500packets' } },
        applications: {
          // a study is about one that is in use for the whole window: this one sends next to nothing
          watch: { service: { id: 'udp-flow', rate: '10kbit' } },
          ...Object.fromEntries(flows.map(({ name, definition }) => [name, definition])),
        },
        // the thirty leave the link empty at both ends of the window: its counters and the log count the same bytes
        run: { window: '13s', retries: 2, preflight: false },
      },
      async (trial, record) => {
        const { windowStartMs } = trial.phases!;
        const all = flows.map(flow => ({
          ...flow,
          file: trial.applications.find(({ name }) => name === flow.name)!,
        }));
        const late = {
          starts: all.map(({ file, startMs }) => file.startMs! - windowStartMs - startMs),
          stops: all.map(({ file, stopMs }) => file.stopMs! - windowStartMs - stopMs),
        };
        context.diagnostic(`starts are late by ${spread(late.starts)}; stops by ${spread(late.stops)}`);
        for (const [what, lateMs] of Object.entries(late))
          assert.ok(isOnTime(lateMs), `${what}: ${lateMs.join(', ')} ms`);
        if (trial.queueLog === null) return context.diagnostic('this machine keeps no queue log');

        const firstLate = all.map(({ file, startMs }) => packetsOf(file).firstMs - windowStartMs - startMs);
        // the sender hears a round trip later that nobody receives any more
        const lastLate = all.map(({ file, stopMs, rttMs }) => packetsOf(file).lastMs - windowStartMs - stopMs - rttMs);
        context.diagnostic(`first packets are late by ${spread(firstLate)}`);
        context.diagnostic(`last packets come ${spread(lastLate)} after the planned stop`);
        // A sender hears that nobody receives any more after a round trip, through a queue that may be full. What that
        // queue dropped of the last flight TCP sends again after its timeout, a packet each time, and the queue may
        // drop that, too: the time doubles with each (RFC 6298, section 5.5), so packets are counted and no end is
        // asked for.
        const delays = await record.queueDelay();
        for (const { name, file, rttMs } of all) {
          const packets = packetsAfterStop(delays, file, rttMs + queueMs);
          assert.ok(packets <= mostPacketsAgain, `${name} sent ${packets} packets after it was stopped`);
        }
        assert.ok(isOnTime(firstLate), `first packets after their times: ${firstLate.join(', ')} ms`);

        const { before, after } = trial.bottleneck!;
        const counted = after.sentBytes - before.sentBytes;
        const own = sum(
          trial.queueLog.traffic.filter(({ application }) => application !== null).map(({ sentBytes }) => sentBytes),
        );
        context.diagnostic(
          `${counted} bytes left the link, ${own} of them of applications: ${((own / counted - 1) * 100).toFixed(4)} % apart`,
        );
        assert.ok(Math.abs(own / counted - 1) < 0.001, `${own} of ${counted} bytes`);
        assert.ok(counted > 0.8 * ((100e6 / 8) * 9), `the link was not full: ${counted} bytes`);
      },
    );
  });

  const clip = {
    id: 'live-clip',
    width: 640,
    height: 360,
    frameRate: 30,
    clipLength: '5s',
    maxBitrate: '1500kbit',
  };

  test('two streams in opposite directions, each on a bottleneck of its own that is proved', async context => {
    await runOnce(
      context,
      {
        title: 'There and back',
        link: {
          rate: '4mbit',
          queue: { limit: '100packets' },
          up: { rate: '3mbit', queue: { limit: '60packets' } },
        },
        applications: { there: { service: clip }, back: { service: clip, direction: 'up' } },
        run: { window: '10s', retries: 2 },
      },
      trial => {
        const readings = trial.preflight!.readings;
        for (const [direction, rateBps, limitPackets] of [
          ['down', 4e6, 100],
          ['up', 3e6, 60],
        ] as const) {
          const of = (id: string) => readings.find(one => one.direction === direction && one.id === id)!.measured!;
          context.diagnostic(
            `${direction}: ${(of('rate') / 1e6).toFixed(4)} Mbit/s, a plateau of ${of('queue-plateau')} packets`,
          );
          assert.ok(Math.abs(of('rate') / rateBps - 1) < 0.0025, `${direction}: ${of('rate')} bit/s`);
          assert.ok(Math.abs(of('queue-plateau') - limitPackets) <= 1, `${direction}: ${of('queue-plateau')} packets`);
        }
        assert.ok(trial.bottleneck!.after.up!.sentBytes > trial.bottleneck!.before.up!.sentBytes);
        for (const [name, direction] of [
          ['there', undefined],
          ['back', 'up'],
        ] as const) {
          const media = trial.queueLog?.traffic.find(
            one => one.application === name && one.direction === direction && one.protocol === 17,
          );
          if (trial.queueLog === null) return;
          context.diagnostic(`${name}: ${((media!.sentBytes * 8) / 10e6).toFixed(2)} Mbit/s of media`);
          assert.ok((media!.sentBytes * 8) / 10 > 300e3, `${name} hardly sent`);
        }
      },
    );
  });

  test('four streams that begin 10 s apart on one bottleneck are not too much for two cores', async context => {
    const names = ['first', 'second', 'third', 'fourth'];
    await runOnce(
      context,
      {
        title: 'One after another',
        link: { rate: '8mbit', queue: { limit: '200packets' } },
        applications: Object.fromEntries(
          names.map((name, k) => [name, { service: clip, ...(k === 0 ? {} : { start: `${10 * k}s` }) }]),
        ),
        run: { window: '40s', retries: 4, preflight: false },
      },
      trial => {
        sayVerdict(context, trial);
        assert.notEqual(trial.verdict.status, 'invalid');
        const { windowStartMs } = trial.phases!;
        for (const [k, { name, startMs, readyMs, packets }] of trial.applications.entries()) {
          if (k === 0) continue;
          const late = (timeMs: number) => `${(timeMs - windowStartMs - 10_000 * k).toFixed(0)} ms`;
          context.diagnostic(
            `${name}: begun ${late(startMs!)} after its time, ` +
              `first packet ${packets == null ? 'not logged' : late(packets.firstMs)}, first frame ${late(readyMs!)}`,
          );
        }
      },
      { mustCount: true },
    );
  });
});

function sayVerdict(context: TestContext, { verdict: { status, findings }, cpuRatio }: TrialFile): void {
  context.diagnostic(
    `${status}${findings.length === 0 ? '' : `: ${findings.map(({ message }) => message).join('; ')}`}`,
  );
  const cores = Object.entries(cpuRatio!).map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`);
  context.diagnostic(`cores: ${cores.join(', ')}`);
}
