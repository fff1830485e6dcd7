/**
 * Whatever lies in the database of a queue: a worker takes an order that a planner signed, and a planner a record that
 * can be read as one, or each says in a line why not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { readRunOrder, readTrialOrder } from '../../harness/queue/order.ts';
import { checkedOutput, isOf } from '../../harness/queue/output.ts';
import { distrust, PlannerKey, readSigned } from '../../harness/queue/planner-key.ts';
import { planOf } from '../unit/harness/support/plan.ts';
import { fileOf } from '../unit/harness/support/run-folder.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261127;
const key = PlannerKey.temporary();
const trusted = new Set([key.name]);
const isLine = (text: string) => assert.ok(!text.includes('\n') && text.length < 1000, text);

const plan = planOf({ run: { repeats: 2 } });
const lane = { study: 'x', places: 1, priority: true, preflight: true, keep: 2, privateNetworks: false };
const run = { format: 1, run: 'r', code: 'c', kind: 'experiment', machine: 'm', plan, files: { 'a.mp4': 'ab' }, lane };
const trial = { format: 1, run: 'r', job: 'j', planned: { trial: plan.trials[0] }, attempt: 1 };
const orders = [run, trial].map(order => JSON.stringify(order));

test('what a stranger changes of what is signed is refused', () => {
  const signed = orders.map(text => key.sign(text));
  const other = PlannerKey.temporary().sign(orders[0]!);
  const row = fc.oneof(
    changed<unknown>(signed),
    fc
      .tuple(
        fc.constantFrom(...signed),
        fc.constantFrom('text', 'key', 'signature'),
        fc.oneof(damaged(orders.map(text => Buffer.from(text))), anyBytes(90)),
      )
      .map(([one, part, bytes]) => ({ ...one, [part]: bytes.toString('latin1') })),
    fc
      .tuple(fc.constantFrom(...signed, other), fc.constantFrom(...signed, other), fc.constantFrom(...signed, other))
      .map(([{ text }, { key: name }, { signature }]) => ({ text, key: name, signature })),
    fc.jsonValue(),
  );
  const seen = { taken: 0, refused: 0, unsigned: 0 };
  fc.assert(
    fc.property(row, data => {
      const one = readSigned(data);
      if (one === undefined) return void seen.unsigned++;
      const reason = distrust(one, trusted);
      if (reason === null) {
        seen.taken++;
        assert.ok(
          signed.some(({ text }) => Buffer.from(text).equals(Buffer.from(one.text))),
          'a planner signed it',
        );
      } else {
        seen.refused++;
        isLine(reason);
      }
    }),
    effort(seed, 1500),
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 50, `${what}: ${count}`);
});

test('orders: of the form that is read, or none', () => {
  const texts = fc.oneof(
    { weight: 8, arbitrary: changed<object>([{ ...run, plan: {} }, trial]).map(value => JSON.stringify(value)) },
    damaged(orders.map(text => Buffer.from(text))).map(bytes => bytes.toString('latin1')),
    fc.string(),
    fc.nat(9000).map(depth => orders[0]!.replace('"plan":', `"plan":${'['.repeat(depth)}${']'.repeat(depth)},"x":`)),
  );
  const seen = { runs: 0, trials: 0, none: 0 };
  fc.assert(
    fc.property(texts, text => {
      const [ofRun, ofTrial] = [readRunOrder(text), readTrialOrder(text)];
      if (ofRun !== undefined) {
        seen.runs++;
        assert.ok([ofRun.run, ofRun.code, ofRun.machine, ofRun.lane.study].every(word => typeof word === 'string'));
        assert.ok(Object.values(ofRun.files).every(hash => typeof hash === 'string'));
        assert.ok(Number.isInteger(ofRun.lane.places) && ofRun.lane.places >= 1 && ofRun.lane.keep >= 1);
      }
      if (ofTrial !== undefined) {
        seen.trials++;
        assert.ok(typeof ofTrial.run === 'string' && typeof ofTrial.job === 'string');
        assert.ok(Number.isInteger(ofTrial.attempt) && ofTrial.attempt >= 1);
      }
      if (ofRun === undefined && ofTrial === undefined) seen.none++;
    }),
    effort(seed, 3000),
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 3, `${what}: ${count}`);
});

test('outputs: a trial of that plan that can be written down, or why there is none', () => {
  const file = fileOf(plan, 1);
  const refusal = { refusal: { code: 'service-failed', message: 'it did not start', hint: 'start it' } };
  // as text: a failure prints it
  const deep = fc
    .tuple(fc.integer({ min: 50, max: 20_000 }), fc.constantFrom('format', 'study', 'more', 'verdict'))
    .map(([depth, where]) =>
      JSON.stringify({ file: { ...file, [where]: 0 } }).replace(
        `"${where}":0`,
        `"${where}":${'['.repeat(depth)}${']'.repeat(depth)}`,
      ),
    );
  const written = (value: unknown) => JSON.stringify(value);
  const outputs = fc.oneof(
    { weight: 6, arbitrary: changed<unknown>([{ file }, refusal]).map(written) },
    { weight: 2, arbitrary: deep },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(written) },
  );
  const planned = {
    trial: plan.trials[0]!,
    condition: file.condition,
    times: { windowMs: 1, settleMs: 1, coolDownMs: 1 },
  };
  const seen = { files: 0, others: 0, refusals: 0, damaged: 0 };
  fc.assert(
    fc.property(outputs, output => {
      try {
        const read = checkedOutput(JSON.parse(output));
        if ('refusal' in read) {
          seen.refusals++;
          assert.ok([read.refusal.code, read.refusal.message].every(word => typeof word === 'string'));
        } else {
          seen[isOf(read.file, file.study, planned as never, file.attempt) ? 'files' : 'others']++;
          assert.equal(typeof JSON.stringify(read.file), 'string');
        }
      } catch (error) {
        seen.damaged++;
        assert.ok(error instanceof CoexistError && error.code === 'bad-run-folder', (error as Error).stack);
        isLine(error.message);
      }
    }),
    effort(seed, 1500),
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 3, `${what}: ${count}`);
});
