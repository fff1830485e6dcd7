import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../../core/schema/schema.ts';
import { ectOf, paramsSchema } from '../../../../../harness/services/live-clip/params.ts';

const refused = (params: unknown, message: RegExp) =>
  assert.throws(() => check(paramsSchema, params, 'service'), { code: 'bad-definition', message });

test('quantities become numbers in the unit of the code', () => {
  const params = check(
    paramsSchema,
    { maxBitrate: '8mbit', clipLength: '2s', pacerLimit: '100ms', width: 640, height: 360 },
    'service',
  );
  assert.deepEqual(
    [params.maxBitrate, params.clipLength, params.pacerLimit, params.width, params.height],
    [8e6, 2000, 100, 640, 360],
  );
});

test('a controller is chosen by id, its parameters beside it', () => {
  const { controller } = check(paramsSchema, { controller: { id: 'gcc' } }, 'service');
  assert.equal(controller.id, 'gcc');
  assert.ok(controller.title.length > 0);
  assert.deepEqual(check(paramsSchema, {}, 'service').controller, controller);
  assert.deepEqual(check(paramsSchema, { controller: 'gcc' }, 'service').controller, controller);
  refused({ controller: 'gc' }, /^service: controller: there is no controller named "gc"; did you mean "gcc"\?/);
  refused({ controller: 5 }, /^service: controller: 5 is not an object; write it like \{ id: "\.\.\." \}/);
  refused(
    { controller: { id: 'gc' } },
    /^service: controller: there is no controller named "gc"; did you mean "gcc"\?/,
  );
  refused({ controller: { id: 'gcc', noSuchThing: 1 } }, /^service: controller: gcc: unknown key "noSuchThing"/);
  refused({ controller: {} }, /^service: controller\.id is missing; write a text/);
});

test('what of a controller is not the default stands by itself, as it was written', () => {
  const changed = (controller: object) => check(paramsSchema, { controller }, 'service').controller.changed;
  assert.deepEqual(
    changed({ id: 'webrtc-bbr', recovery: 'off', minRttExpiry: '5s', filter: 'replace-all', probeGain: 0.25 }),
    { recovery: 'off', minRttExpiry: '5s' },
  );
  assert.deepEqual(changed({ id: 'gcc', backoff: '85%' }), {});
});

test('a priority is for the controllers that weigh their flow among others', () => {
  const { controller } = check(paramsSchema, { controller: { id: 'nada', priority: 2 } }, 'service');
  assert.deepEqual(controller.changed, { priority: 2 });
  for (const id of ['gcc', 'scream-v2', 'remb'])
    refused(
      { controller: { id, priority: 2 } },
      new RegExp(`^service: controller: ${id} does not weigh its flow among others, so it has no priority: take nada$`),
    );
});

test('what cannot be together is refused', () => {
  refused({ minBitrate: '2mbit', maxBitrate: '1mbit' }, /^service: minBitrate: minBitrate is higher than maxBitrate/);
  refused({ width: 641 }, /^service: width: width and height must be even/);
  refused({ height: 361 }, /width and height must be even/);
  refused({ feedback: 'remb' }, /^service: feedback: "remb" is not one of transport-cc, ccfb/);
  refused(
    { feedback: 'ccfb', controller: { id: 'remb' } },
    /^service: feedback: the controller goes by the receiver's own estimate/,
  );
  check(paramsSchema, { controller: { id: 'remb' } }, 'service');
  refused({ encoder: 'h265' }, /^service: encoder: "h265" is not one of auto/);
  refused({ maxBitrte: '1mbit' }, /unknown key "maxBitrte"; did you mean "maxBitrate"\?/);
});

test('marks are for controllers that react to them, with the feedback that reports them', () => {
  const marked = (controller: object | string) =>
    ectOf(check(paramsSchema, { controller, feedback: 'ccfb', ecn: true }, 'service'));
  assert.equal(marked({ id: 'scream-v2', ecn: 'l4s' }), 'ect1');
  assert.equal(marked('scream-v2'), 'ect0');
  assert.equal(marked('nada'), 'ect0');
  assert.equal(ectOf(check(paramsSchema, { controller: 'scream-v2', feedback: 'ccfb' }, 'service')), null);
  for (const controller of ['gcc', 'copa', 'fixed'])
    refused({ controller, feedback: 'ccfb', ecn: true }, /^service: ecn: the controller ignores CE marks/);
  refused({ controller: 'scream-v2', ecn: true }, /^service: ecn: ecn needs the feedback that reports marks/);
});
