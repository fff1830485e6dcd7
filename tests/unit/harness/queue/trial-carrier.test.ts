import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { TrialCarrier } from '../../../../harness/queue/machine/trial-carrier.ts';
import { readRunOrder, type TrialOrder } from '../../../../harness/queue/order.ts';
import { temporaryFolder } from '../support/folder.ts';
import { versions } from '../support/run-folder.ts';
import { fileOfPlanned, orderOf, tinyPlan } from './support/tiny.ts';

const parent = temporaryFolder();
const plan = tinyPlan(2, 1);
const machine = 'a';
const orderFor = (run: string, k = 0): TrialOrder => ({
  format: 1,
  run,
  job: '',
  attempt: 1,
  planned: {
    trial: plan.trials[k]!,
    condition: plan.conditions[0]!,
    times: { windowMs: 1, settleMs: 0, coolDownMs: 0, queueLog: 'off', pcap: false, externalLossRatio: null },
    places: [0],
  },
});

function carrierIn(name: string, fate: (signal: AbortSignal) => void | Promise<void> = () => {}) {
  const events: string[] = [];
  const rows: object[] = [];
  const spool = join(parent, name);
  const carrier = new TrialCarrier({
    machine,
    versions,
    registries: { services: new Map(), aqms: new Map(), tunnels: new Map() },
    spool,
    measureFloor: () => Promise.resolve({ passed: true, said: 'no stall in 3 trials' }),
    async check(kind) {
      events.push('check');
      if (kind === 'game') throw new CoexistError('missing-congestion-control', 'this machine has no bbr');
    },
    async openLane(options) {
      events.push('open');
      rows.push({ hops: options.hops, spans: options.spans });
      return {
        async run(planned, attempt, { signal }) {
          const directory = options.folder.begin(planned.trial.id);
          try {
            writeFileSync(join(directory, 'ping.jsonl'), '{}\n');
            await fate(signal);
            const file = { ...fileOfPlanned(options.study, { planned, attempt }), machine: options.machine! };
            options.folder.commit(directory, file);
            return file;
          } catch (error) {
            options.folder.discard(directory);
            throw error;
          }
        },
        async close() {
          events.push('close');
        },
      };
    },
  });
  return { carrier, events, rows, spool };
}

test('trials of one run share a lane, another run gets another, and nothing is open while there is nothing to do', async () => {
  const { carrier, events, spool } = carrierIn('lanes');
  const { signal } = new AbortController();
  const first = await carrier.run(orderOf('one', plan), orderFor('one'), signal);
  assert.deepEqual([first.file.machine, readdirSync(first.directory)], [machine, ['ping.jsonl']]);
  carrier.drop(first.directory);
  assert.equal(existsSync(first.directory), false);
  await carrier.run(orderOf('one', plan), orderFor('one', 1), signal);
  await carrier.run(orderOf('two', plan), orderFor('two'), signal);
  assert.deepEqual(events, ['open', 'close', 'open']);
  await carrier.rest();
  await carrier.rest();
  assert.deepEqual(events, ['open', 'close', 'open', 'close']);
  await carrier.close();
  assert.deepEqual(readdirSync(spool), []);
});

test('a lane has the bottlenecks of the order, and the pairs of hosts between some of them', async () => {
  const { carrier, rows } = carrierIn('row');
  const order = orderOf('one', plan);
  const asRead = (lane: object) => readRunOrder(JSON.stringify({ ...order, lane: { ...order.lane, ...lane } }));
  const spans = [null, { from: 2, to: 2 }];
  const { signal } = new AbortController();
  await carrier.run(asRead({ hops: 2, spans })!, orderFor('one'), signal);
  await carrier.run({ ...asRead({})!, run: 'two' }, orderFor('two'), signal);
  assert.deepEqual(rows, [
    { hops: 2, spans },
    { hops: 1, spans: undefined },
  ]);
  assert.equal(asRead({ hops: 2, spans: [{ from: 0, to: 9 }] }), undefined, 'no bottlenecks of a row');
  await carrier.close();
});

test('a trial that is taken away ends its lane with that reason, and its record is gone', async () => {
  const lost = new AbortController();
  const { carrier, events, spool } = carrierIn(
    'lost',
    signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        lost.abort(new Error('another worker has it'));
      }),
  );
  await assert.rejects(carrier.run(orderOf('one', plan), orderFor('one'), lost.signal), /another worker has it/);
  assert.deepEqual(events, ['open', 'close']);
  assert.deepEqual(readdirSync(join(spool, readdirSync(spool)[0]!)), []);
  await carrier.close();
});

test('what this machine cannot run is refused in one line', async () => {
  const { carrier, events } = carrierIn('refusal');
  assert.equal(await carrier.refusal({ ...orderOf('one', plan), kind: 'game' }), 'this machine has no bbr');
  assert.equal(await carrier.refusal(orderOf('one', plan)), null);
  const clip = join(parent, 'clip.y4m');
  writeFileSync(clip, 'a clip');
  const withClip = (sha256: string) => carrier.refusal({ ...orderOf('one', plan), files: { [clip]: sha256 } });
  assert.equal(await withClip(createHash('sha256').update('a clip').digest('hex')), null);
  assert.deepEqual(events.splice(0), ['check', 'check', 'check']);
  assert.equal(
    await withClip('00'),
    `${clip} differs from the planner's file: copy that to the worker's machine and restart the worker`,
  );
  rmSync(clip);
  assert.equal(await withClip('00'), `the file ${clip} cannot be read`);
  assert.deepEqual(events, [], 'a check may run a script: not before it is known to be the one of the planner');
  await carrier.close();
});

test('records that killed workers left are removed, those of running ones are not', async () => {
  const spool = join(parent, 'killed');
  for (const name of ['999999-1', `${process.pid}-1`]) mkdirSync(join(spool, name), { recursive: true });
  const one = carrierIn('killed').carrier;
  const two = carrierIn('killed').carrier;
  assert.equal(readdirSync(spool).length, 1);
  await one.close();
  await two.close();
});
