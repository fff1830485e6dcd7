import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../../core/schema/schema.ts';
import { pairsOf, paramsSchema } from '../../../../../harness/services/iperf/params.ts';

test("by default one flow of the kernel's BBR, with telemetry, without an end", () => {
  assert.deepEqual(paramsSchema.parse({}), {
    congestionControl: 'bbr',
    bbr3Budget: 'draft',
    flows: 1,
    stagger: 0,
    ecn: 'off',
    telemetry: true,
  });
});

test('flows that begin at different times have programs of their own', () => {
  const pairs = (given: object) => pairsOf(paramsSchema.parse(given));
  assert.deepEqual([pairs({ flows: 5 }), pairs({ flows: 5, stagger: '1s' })], [1, 5]);
});

test('a size of a transfer is bytes', () => {
  assert.deepEqual(
    ['64kB', '1.5MB', '1000bytes'].map(bytes => paramsSchema.parse({ bytes }).bytes),
    [64_000, 1_500_000, 1000],
  );
});

test('what cannot be is refused with its reason', () => {
  const refused = (given: object, message: RegExp) =>
    assert.throws(() => check(paramsSchema, given, 'params'), { code: 'bad-definition', message });
  refused({ flows: 65 }, /out of range; it must be at most 64$/);
  refused({ flows: 0 }, /at least 1$/);
  refused({ stagger: '11min' }, /at most 600 s|at most 10 min/);
  refused({ bbr3Budget: 'none' }, /"none" is not one of draft, kernel$/);
  refused({ telemetry: 'yes' }, /is not true or false$/);
  refused({ bytes: 64_000 }, /64000 is not a size; write it like "64000bytes"$/);
  refused({ bytes: '64kbit' }, /"64kbit" is not a size/);
  refused({ bytes: '10bytes' }, /"10bytes" is out of range; it must be at least 1 kB$/);
  refused({ port: 5201 }, /unknown key "port"/);
});

test('the scalable TCP of this repository sends ECT(1), and nothing else does', () => {
  const scalable = { congestionControl: 'dctcp-like', ecn: 'l4s' };
  assert.equal(check(paramsSchema, scalable, 'flood').ecn, 'l4s');
  for (const given of [{ congestionControl: 'dctcp-like' }, { congestionControl: 'cubic', ecn: 'l4s' }])
    assert.throws(() => check(paramsSchema, given, 'flood'), { message: /ecn "l4s" and .*"dctcp-like" go together/ });
  assert.throws(() => check(paramsSchema, { ...scalable, bytes: '1MB' }, 'flood'), { message: /leave out bytes/ });
});
