/** Every generator played against what it asks for, on the hosts of a trial, by the probe of preflight. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Link, plainLink } from '../../core/vocabulary/link.ts';
import { LinkProof } from '../../harness/trial/link-proof.ts';
import { generators } from '../../shaper/traces/generators.ts';
import { dumbbell, lease, shapedLink } from '../e2e/support/hosts.ts';
import { seed, skip } from '../e2e/support/preflight-links.ts';

/** Factors that bring the rates of a generator to 5 to 30 Mbit/s. */
const times: Record<string, number> = { wifi: 0.2, leo: 0.1, '5g-mid-band': 0.1, '5g-mmwave': 0.02, cable: 0.2 };
const tries = 4;

describe('a link that follows a generator', { skip }, () => {
  for (const id of generators.keys())
    test(id, async context => {
      const trace = {
        files: [],
        make: { id, seed: 3, lengthMs: 60e3 },
        startAtMs: 'seeded' as const,
        times: times[id] ?? 1,
        loop: true,
      };
      const link: Link = { ...plainLink(10e6, { unit: 'ms', value: 200 }), trace, backend: 'emulator' };
      const proof = new LinkProof(shapedLink, dumbbell, lease.scratch);
      const prove = () => proof.of(link, seed, { onStart: () => {}, signal: new AbortController().signal });
      let proved = await prove();
      for (let again = 1; again < tries && proved.reading.status === 'disturbed'; again++) proved = await prove();
      const read = proved.reading.readings.filter(({ step }) => step === 'trace');
      context.diagnostic(read.map(one => `${one.id} ${one.measured} (${one.verdict}, ${one.note})`).join('; '));
      assert.notEqual(proved.reading.status, 'refused', proved.reading.summary);
      if (proved.reading.status === 'disturbed')
        return context.skip(`the machine disturbed each of ${tries} tries: ${proved.reading.summary}`);
      assert.ok(read.length >= 4 && read.every(({ verdict }) => verdict === 'ok'), proved.reading.summary);
    });
});
