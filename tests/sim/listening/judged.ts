/** Counts which interruptions of simulated calls are put down to the fault that made them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { interruptionsOf } from '../../../harness/analysis/derive/voice/interruptions.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { Call } from './call.ts';
import { callOf, type Kind, kinds } from './faults.ts';
import { Listener } from './listener.ts';
import { writeCall } from './record.ts';

/** Share of false causes that is acceptable. */
const acceptable = 0.02;
/**
 * An interruption by a fault begins at most this much before the fault (the begin is found with blocks), and this much
 * after its end, ms: the longest delay of the voice.
 */
const [soonerMs, laterMs] = [100, 3500];

/** Interruptions that were found, how many of them have a false cause, and the false ones in words. */
type Count = { all: number; wrong: number; examples: string[] };

/**
 * Records of each kind of fault, and faults in each. `least`: interruptions that each kind makes at least; the others are
 * bridged by what the jitter buffer holds.
 */
type Extent = { records: number; faults: number; least: number };

async function countOf(folder: string, kind: Kind, { records, faults }: Extent): Promise<Count> {
  const count: Count = { all: 0, wrong: 0, examples: [] };
  for (let i = 0; i < records; i++) {
    const seed = 1000 * kinds.indexOf(kind) + i;
    const options = callOf(kind, seed, faults);
    const call = new Call(options);
    const listener = new Listener(call);
    for (const found of (await interruptionsOf(writeCall(join(folder, String(seed)), call, listener)))!) {
      const { startMs, endMs, cause, evidence } = found;
      const isOfFault = options.faults.some(
        ({ span }) => startMs > span.fromMs - soonerMs && startMs < span.toMs + laterMs,
      );
      const expected =
        typeof kind.expected === 'function'
          ? [kind.expected(listener.missingBetween(startMs, endMs), call)]
          : kind.expected;
      count.all++;
      if (isOfFault && expected.includes(cause)) continue;
      count.wrong++;
      count.examples.push(
        `${seed} at ${Math.round(startMs)}, ${Math.round(endMs - startMs)} ms: ${cause} for ` +
          `${isOfFault ? expected.join(' or ') : 'no fault'}: ${evidence}`,
      );
    }
  }
  return count;
}

/** Tests the causes of the interruptions in these records. */
export function testCauses(extent: Extent): void {
  const folder = temporaryFolder();
  const counts: Count[] = [];
  for (const kind of kinds)
    test(`${kind.what}: the interruptions have this cause`, async t => {
      const count = await countOf(folder, kind, extent);
      counts.push(count);
      t.diagnostic(`${count.all - count.wrong} of ${count.all} causes are right`);
      for (const example of count.examples) t.diagnostic(example);
      assert.ok(count.all >= extent.least, `${count.all} interruptions`);
    });
  test(`at most ${acceptable * 100} % of all causes are false`, t => {
    const [all, wrong] = [counts.reduce((sum, of) => sum + of.all, 0), counts.reduce((sum, of) => sum + of.wrong, 0)];
    t.diagnostic(`${wrong} of ${all} causes are false`);
    assert.ok(wrong <= acceptable * all, counts.flatMap(({ examples }) => examples).join('\n'));
  });
}
