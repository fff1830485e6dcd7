/** A trial with applications that come and go: their times, their bytes at the bottleneck, and what is left of them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { hostSeries } from '../../harness/record/series/host.ts';
import { tcpSeries } from '../../harness/record/series/tcp.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { studyHasResults } from './support/disturbed.ts';
import { packetsAfterStop } from './support/packets-after-stop.ts';
import { cannotRun, Place } from './support/run-command.ts';

const definition = {
  title: 'Flows that come and go',
  question: 'Who has what?',
  source: 'own',
  link: { rate: '20mbit', rtt: '10ms', queue: { limit: '100packets' } },
  applications: {
    steady: { service: { id: 'iperf', congestionControl: 'cubic' } },
    late: { service: { id: 'iperf', congestionControl: 'bbr' }, start: '1s', link: { rtt: '40ms' } },
    brief: { service: { id: 'iperf', congestionControl: 'reno', flows: 2 }, start: '-2s', stop: '3s' },
    short: { service: { id: 'iperf', congestionControl: 'cubic', bytes: '100kB' }, start: '3s' },
    crowd: { service: { id: 'iperf', congestionControl: 'cubic' }, count: 4, start: '3s', stop: '5s' },
    // no link bounds it: for longer it would leave the link of the others no processor
    back: { service: { id: 'iperf', congestionControl: 'cubic', bytes: '20MB' }, direction: 'up', stop: '2s' },
  },
  run: { window: '6s', retries: 10, preflight: false },
};

/** Of a start or a stop against its plan, beside what the machine held up the harness for. */
const mostLateMs = 50;
/** iperf3 agrees on the end through the full queue, which may drop that: TCP sends it again, at first after 0.2 s. */
const endAgreedMs = 1000;

describe('applications', { skip: cannotRun }, () => {
  test('each begins and ends at its time, has its bytes at the bottleneck, and leaves nothing', async context => {
    const place = new Place();
    try {
      if (!(await studyHasResults(context, place, definition, ['0001-all'], 240_000))) return;
      const folder = RunFolder.open(place.out);
      const trial = folder.trialFile('0001-all');
      const { preparedMs, readyMs, windowStartMs, windowEndMs, endMs } = trial.phases!;
      const besideMs = readyMs - preparedMs + endMs - windowEndMs;
      assert.ok(
        besideMs < 4500 + 300 * (trial.applications.length - 2),
        `${besideMs} ms beside the window and the start-up`,
      );
      const of = (name: string) => trial.applications.find(application => application.name === name)!;
      const record = new TrialRecord(trial, folder.trialFolder('0001-all'));
      const heldUpMs = Math.max(...(await record.read(hostSeries)).map(({ harnessDelayMaxMs }) => harnessDelayMaxMs));
      const near = (timeMs: number | null, plannedMs: number, agreedMs = 0) => {
        const lateMs = timeMs! - plannedMs;
        assert.ok(
          lateMs >= 0 && lateMs < mostLateMs + agreedMs + heldUpMs,
          `${lateMs} ms after its time, where the harness was held up for ${heldUpMs} ms`,
        );
      };
      const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
      const crowd = Array.from({ length: 4 }, (_, k) => `crowd-${k + 1}`);
      near(of('late').startMs, windowStartMs + 1000);
      near(of('brief').startMs, windowStartMs - 2000);
      near(of('brief').stopMs, windowStartMs + 3000, endAgreedMs);
      near(of('short').startMs, windowStartMs + 3000);
      if (trial.queueLog !== null)
        for (const name of ['late', 'brief', 'short', ...crowd])
          near(of(name).packets!.firstMs, windowStartMs + ({ late: 1000, brief: -2000 }[name] ?? 3000));
      // A sender hears that nobody receives any more after a round trip, through a queue that may be full. What that
      // queue dropped of the last flight TCP sends again after its timeout, a packet each time, and the queue may drop
      // that, too: the time doubles with each (RFC 6298, section 5.5), so packets are counted and no end is asked for.
      const untilHeardMs = 10 + 61;
      if (trial.queueLog !== null) {
        const delays = await record.queueDelay();
        for (const [name, flows] of [['brief', 2] as const, ...crowd.map(one => [one, 1] as const)]) {
          const packets = packetsAfterStop(delays, of(name), untilHeardMs);
          assert.ok(packets <= 10 * flows, `${name} sent ${packets} packets after it was stopped`);
        }
      }
      for (let k = 1; k <= 4; k++) {
        const { startMs, stopMs, transport } = of(`crowd-${k}`);
        near(startMs, windowStartMs + 3000);
        near(transport!.flows[0]!.startMs, windowStartMs + 3000);
        near(stopMs, windowStartMs + 5000, endAgreedMs);
      }
      assert.ok(of('steady').readyMs! < windowStartMs && of('steady').stopMs! >= windowEndMs);
      assert.deepEqual(
        ['steady', 'late', 'brief', 'back', 'short'].map(name => of(name).transport!.label),
        ['CUBIC', 'BBRv1', 'Reno', 'CUBIC', 'CUBIC'],
      );
      assert.equal(of('brief').transport!.flows.length, 2);

      const last = (await record.as('brief').read(tcpSeries)).at(-1)!;
      assert.ok(last.timeMs < windowStartMs + 3500, 'a service that was stopped tells nothing more');
      if (trial.queueLog === null) return;
      const logged = sum(trial.queueLog.traffic.map(({ sentBytes }) => sentBytes));
      const counted = trial.bottleneck!.after.sentBytes - trial.bottleneck!.before.sentBytes;
      const lengthMs = trial.bottleneck!.after.timeMs - trial.bottleneck!.before.timeMs;
      // the counters are read a little after the window's ends
      assert.ok(
        Math.abs(logged / (windowEndMs - windowStartMs) - counted / lengthMs) < (0.02 * counted) / lengthMs,
        `${logged} bytes in the log, ${counted} by the counters`,
      );
      const strangers = sum(
        trial.queueLog.traffic.filter(({ application }) => application === null).map(({ sentBytes }) => sentBytes),
      );
      assert.ok(strangers < 0.001 * logged, `${strangers} of ${logged} bytes are of no application`);
      for (const name of ['steady', 'late', 'brief'])
        assert.ok(
          sum(
            trial.queueLog.traffic.filter(({ application }) => application === name).map(({ sentBytes }) => sentBytes),
          ) > 100_000,
          name,
        );
      assert.ok(
        sum(
          (await record.as('back').read(tcpSeries))
            .filter(({ end }) => end === 'receiver')
            .map(({ bytesReceived }) => bytesReceived ?? 0),
        ) > 1e6,
        'on its own side it is not held',
      );
      assert.deepEqual(await place.namespaces(), []);
    } finally {
      await place.clean();
      place.remove();
    }
  });

  test('the dry run prints who, from where to where, when and over which path', async () => {
    const place = new Place();
    try {
      const file = join(place.path, 'study.json');
      writeFileSync(file, JSON.stringify(definition));
      const { status, stdout } = await place.run(['experiment', file, '--dry-run']);
      assert.equal(status, 0);
      assert.match(stdout, /^application +service +direction +time +path +parameters$/m);
      assert.match(stdout, /^late +iperf3.* +down +window \+1 s to end +base RTT 40 ms +congestionControl=bbr/m);
      assert.match(stdout, /^brief .* window -2 s to window \+3 s /m);
      assert.match(stdout, /^back .* up +/m);
    } finally {
      place.remove();
    }
  });
});
