/**
 * Tests of a trial without end, in virtual time. The trial changes while it runs, and ends by a signal or the failure
 * of a part.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { sleep } from '../../../../core/system/deadline.ts';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { SeriesListeners } from '../../../../harness/record/schema/series-listeners.ts';
import { hostSeries } from '../../../../harness/record/series/host.ts';
import { serviceSeries } from '../../../../harness/record/series/service.ts';
import type { TrialFile } from '../../../../harness/record/trial-file.ts';
import type { PreparedService, RunningService } from '../../../../harness/services/service.ts';
import type { TrialCommands } from '../../../../harness/trial/trial-commands.ts';
import type { TrialOptions } from '../../../../harness/trial/trial-options.ts';
import { temporaryFolder } from '../support/folder.ts';
import { application } from '../support/record.ts';
import { Life, lifeFolder } from './support/life.ts';

const folder = temporaryFolder();
let lives = 0;
const enough = new CoexistError('interrupted', 'enough');

type Params = { congestionControl: string; flows: number };

/**
 * A flood that only records its starts and stops. A flood "missing" does not start, "odd" reports an error when it is
 * read, and "slow" takes 10 s to start.
 */
class Flood {
  readonly started: Params[] = [];
  stopped = 0;
  die: (error: Error) => void = () => {};
  readonly #life: Life;

  constructor(life: Life) {
    this.#life = life;
  }

  prepared(params: Params): PreparedService {
    return { open: () => this.#open(params) };
  }

  async #open(params: Params): Promise<RunningService> {
    const { congestionControl, flows } = params;
    if (congestionControl === 'missing') throw new CoexistError('missing-congestion-control', 'there is none');
    this.started.push(params);
    if (congestionControl === 'slow') await sleep(10_000, undefined, this.#life.clock);
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {});
    this.die = failed.reject;
    const flow = { congestionControl, startMs: 0, retransmittedBytes: 0, sentBytes: 0, receivedBytes: 0 };
    return {
      failed: failed.promise,
      readyMs: this.#life.clock.nowMs(),
      stop: async () => void this.stopped++,
      describe: () => ({}),
      clocks: () => Promise.reject(new Error('no clocks')),
      collect: async () => {
        if (congestionControl === 'odd') throw new CoexistError('service-failed', 'it is not odd');
        return { framesPerSecond: null, goodputBps: 0, lost: false };
      },
      transport: () => ({
        label: 'BBRv1',
        evidence: '',
        flows: Array.from({ length: flows }, (_, port) => ({ ...flow, port })),
      }),
    };
  }
}

/** A trial without end, with two applications and a flood that begins by command. */
class Endless {
  readonly #directory = lifeFolder(folder, ++lives);
  readonly life = new Life(this.#directory);
  readonly flood = new Flood(this.life);
  readonly owner = new AbortController();
  /** Names of the parts that run when the trial ends, before anything is stopped. */
  atEnd: string[] = [];
  readings = 0;
  readonly records = { host: 0, service: 0 };

  /** Runs the trial. `meanwhile`: called when the window begins; when it is done, the trial is interrupted. */
  run(meanwhile: (commands: TrialCommands) => Promise<void>, change: Partial<TrialOptions> = {}): Promise<TrialFile> {
    const names = ['call', 'ahead'];
    return this.life.run(options => ({
      times: { ...options.times, windowMs: Infinity, queueLog: 'off', pcap: false, externalLossRatio: null },
      condition: {
        ...options.condition,
        link: plainLink(10e6, options.link.queue, [...names, 'flood']),
      },
      applications: [
        ...options.applications.filter(one => names.includes(one.application.name)),
        {
          ...options.applications[3]!,
          application: application('flood', 'baseline', 'stand-in', {}),
          onDemand: async ({ service: { params } }) => this.flood.prepared(params as Params),
        },
      ],
      signal: this.owner.signal,
      sampleMs: 250,
      listenersOf: name =>
        name === null
          ? new SeriesListeners().on(hostSeries, () => void this.records.host++)
          : new SeriesListeners().on(serviceSeries, () => void this.records.service++),
      onLive: () => void this.readings++,
      onEnd: () => {
        this.atEnd = [...this.life.running];
      },
      onWindow: commands =>
        void meanwhile(commands).then(
          () => this.owner.abort(enough),
          error => this.owner.abort(error),
        ),
      ...change,
    }));
  }

  pass(ms: number): Promise<void> {
    return sleep(ms, undefined, this.life.clock);
  }

  /** Files of the trial's record. */
  get files(): string[] {
    return readdirSync(this.#directory, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => name);
  }

  assertNothingRuns(): void {
    assert.deepEqual([...this.life.running], []);
    assert.equal(this.flood.stopped, this.flood.started.length);
  }
}

test('it runs until it is interrupted, is read as often as asked for, and keeps nothing', async () => {
  const endless = new Endless();
  await assert.rejects(
    endless.run(() => endless.pass(3600e3)),
    enough,
  );
  assert.ok(Math.abs(endless.readings - 14_400) < 5, `${endless.readings} readings`);
  assert.ok(endless.records.host >= endless.readings && endless.records.service >= 2 * endless.readings);
  assert.deepEqual(endless.files, []);
  assert.deepEqual(endless.atEnd.sort(), ['ahead opens', 'call opens', 'load', 'ping', 'the link is set']);
  endless.assertNothingRuns();
});

test('the link is changed, and verified', async () => {
  const endless = new Endless();
  const done = endless.run(async commands => {
    await endless.pass(1000);
    const link = await commands.setLink({ rateBps: 2e6 });
    assert.deepEqual([link.rateBps, link.queue], [2e6, { unit: 'packets', value: 100 }]);
  });
  await assert.rejects(done, enough);
  const [changed, verified] = ['the link is changed', 'the link is verified'].map(what => endless.life.times(what));
  assert.equal(changed!.length, 1);
  assert.ok(verified!.length === 2 && verified![1]! > changed![0]!);
});

test('a flood takes the place of the one before, and tells what it really is', async () => {
  const endless = new Endless();
  const { flood } = endless;
  const done = endless.run(async commands => {
    const set = async (congestionControl: string, flows: number) =>
      (await commands.setApplication('flood', { congestionControl, flows }))!.flows.length;
    assert.deepEqual(flood.started, []);
    assert.equal(await set('bbr', 5), 5);
    await endless.pass(1000);
    assert.equal(await set('bbr', 1), 1);
    assert.equal(flood.stopped, 1);
    assert.equal(await commands.setApplication('flood', null), null);
    assert.equal(flood.stopped, 2);
    assert.equal(await commands.setApplication('flood', null), null);
    assert.equal(await set('reno', 2), 2);
  });
  await assert.rejects(done, enough);
  assert.deepEqual(flood.started, [
    { congestionControl: 'bbr', flows: 5 },
    { congestionControl: 'bbr', flows: 1 },
    { congestionControl: 'reno', flows: 2 },
  ]);
  endless.assertNothingRuns();
});

test('where it does not start, or is another, there is none, and the trial goes on', async () => {
  const endless = new Endless();
  const done = endless.run(async commands => {
    const set = (congestionControl: string) => commands.setApplication('flood', { congestionControl, flows: 1 });
    await assert.rejects(set('missing'), { code: 'missing-congestion-control' });
    await assert.rejects(set('odd'), { code: 'service-failed', message: 'it is not odd' });
    assert.equal(endless.flood.stopped, 1);
    assert.notEqual(await set('bbr'), null);
  });
  await assert.rejects(done, enough);
  endless.assertNothingRuns();
});

test('one that dies is told of, one that was ended is not, and the trial goes on', async () => {
  const endless = new Endless();
  const { flood } = endless;
  const died: unknown[] = [];
  const done = endless.run(async commands => {
    const set = (flows: number) =>
      commands.setApplication('flood', { congestionControl: 'bbr', flows }, error => died.push(error));
    await set(1);
    const dieBefore = flood.die;
    await set(2);
    dieBefore(new Error('the first'));
    const second = new Error('the second');
    flood.die(second);
    await endless.pass(1000);
    assert.deepEqual([died, flood.stopped], [[second], 2]);
    await set(3);
  });
  await assert.rejects(done, enough);
  endless.assertNothingRuns();
});

test('a command under way ends with the trial, and none begins after it', async () => {
  const endless = new Endless();
  let refused: Promise<unknown> | undefined;
  let late: TrialCommands | undefined;
  const done = endless.run(async commands => {
    late = commands;
    refused = assert.rejects(commands.setApplication('flood', { congestionControl: 'slow', flows: 1 }));
    await endless.pass(1000);
  });
  await assert.rejects(done, enough);
  await refused;
  assert.equal(endless.flood.started.length, 1);
  endless.assertNothingRuns();
  assert.throws(() => void late!.setLink({ rateBps: 1e6 }));
});

describe('a part that fails ends it with the error of the part', () => {
  for (const part of ['the link', 'call', 'ahead', 'ping'])
    test(part, async () => {
      const endless = new Endless();
      endless.life.die(part, 1500);
      await assert.rejects(
        endless.run(() => endless.pass(5000)),
        { code: 'link-died', message: `${part} has ended in the middle` },
      );
      assert.ok(endless.atEnd.includes('call opens'));
      endless.assertNothingRuns();
    });
});

test('readings that a sleeping machine has missed are left out', async () => {
  const endless = new Endless();
  const done = endless.run(async () => {
    await endless.pass(1000);
    const before = endless.readings;
    const { clock } = endless.life;
    const nowMs = clock.nowMs.bind(clock);
    clock.nowMs = () => nowMs() + 3600e3;
    await endless.pass(1000);
    assert.ok(endless.readings - before <= 5, `${endless.readings - before} readings`);
  });
  await assert.rejects(done, enough);
});
