import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { run } from '../../../../core/system/command.ts';
import { mayRest } from '../../../../shaper/calibrate/keep-awake.ts';
import { probeProgram } from '../../../../shaper/calibrate/probe.ts';

test('the processors of a guest may rest, those of a machine of its own need not be kept', () => {
  const flags = (...names: string[]) => `processor : 0\nflags\t\t: fpu ${names.join(' ')} avx\n`;
  assert.equal(mayRest(flags('hypervisor'), undefined), true);
  assert.equal(mayRest(flags('hypervisors'), undefined), false);
  assert.equal(mayRest(flags(), undefined), false);
  assert.equal(mayRest('Features : fp asimd\n', undefined), false);
  assert.equal(mayRest(flags('hypervisor'), '0'), false);
  assert.equal(mayRest(flags('hypervisor'), '1'), true);
});

test('they are kept until the input ends', {
  skip: existsSync(probeProgram) ? false : 'needs the native helper: npm run setup',
}, async () => {
  const { status, stdout } = await run([probeProgram, 'awake']);
  assert.equal(status, 0);
  assert.match(stdout, /^\{"ready":true,"processors":\d+\}\n$/);
  assert.equal((await run([probeProgram, 'awake', 'more'], { allowFailure: true })).status, 1);
});
