import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import type { Host } from '../../../../../core/system/host.ts';
import {
  availableCongestionControls,
  labelOf,
  labelSocket,
  noteOnMissing,
  requireCongestionControl,
  usableCongestionControl,
} from '../../../../../harness/services/shared/congestion-control.ts';

test('"bbr" without a version is version 1, whatever it is called elsewhere', () => {
  assert.deepEqual(labelOf('bbr', undefined, undefined), {
    label: 'BBRv1',
    evidence: 'ss -tin shows "bbr"; the kernel\'s tcp_bbr tells no version, as mainline\'s v1',
  });
});

test('"bbr" is version 3 only when socket or module says 3', () => {
  assert.deepEqual(labelOf('bbr', '3', undefined), { label: 'BBRv3', evidence: 'ss -tin shows "bbr" with version:3' });
  assert.deepEqual(labelOf('bbr', undefined, '3'), {
    label: 'BBRv3',
    evidence: 'ss -tin shows "bbr"; the kernel\'s tcp_bbr says version 3',
  });
  assert.equal(labelOf('bbr', '1', '3').label, 'BBRv1', 'the socket is nearer to the truth than the module');
  assert.equal(labelOf('bbr', undefined, '2').label, 'BBRv2');
});

test('a module of another name is what its name says', () => {
  assert.equal(labelOf('bbr3', undefined, undefined).label, 'BBRv3');
  assert.equal(labelOf('cubic', undefined, undefined).label, 'CUBIC');
  assert.equal(labelOf('reno', undefined, '3').label, 'Reno');
  assert.match(labelOf('cubic', undefined, undefined).evidence, /ss -tin shows "cubic"/);
});

test('a socket of this machine gets a label with evidence', async () => {
  const { label, evidence } = await labelSocket('cubic', undefined);
  assert.deepEqual([label, evidence], ['CUBIC', 'ss -tin shows "cubic"']);
});

const error = async (name: string) => {
  try {
    await requireCongestionControl(name);
  } catch (thrown) {
    assert.ok(thrown instanceof CoexistError);
    assert.equal(thrown.code, 'missing-congestion-control');
    assert.equal(thrown.exitStatus, 2);
    return thrown;
  }
  return assert.fail('was accepted');
};

test('what the kernel offers is accepted', async () => {
  const available = await availableCongestionControls();
  assert.ok(available.includes('reno')); // every Linux has it
  await requireCongestionControl('reno');
});

test('what the kernel does not offer is refused with what it does offer', async () => {
  const available = (await availableCongestionControls()).join(', ');
  const { message, hint } = await error('no_such_control');
  assert.equal(message, 'this kernel has no congestion control "no_such_control"');
  assert.equal(hint, `available here: ${available}; "modprobe tcp_no_such_control" may load it`);
  assert.match((await error('rno')).message, /"rno"; did you mean "reno"\?/);
});

/** A host with the congestion controls of a mainline kernel. */
const mainline = { read: () => Promise.resolve('reno cubic bbr\n') } as unknown as Host;

test('BBRv1 is named as the kernel names it, however it was written', async () => {
  for (const name of ['bbr1', 'bbrv1', 'BBR-v1'])
    await assert.rejects(requireCongestionControl(name, mainline), {
      message: `this kernel has no congestion control "${name}"; BBRv1 is called "bbr"`,
    });
});

test('a note says what the kernel does not offer, and nothing of what only a run can tell', async () => {
  assert.equal(
    await noteOnMissing('cubicc', mainline),
    'note: this kernel has no congestion control "cubicc"; did you mean "cubic"? ' +
      '(available here: reno, cubic, bbr; "modprobe tcp_cubicc" may load it)',
  );
  for (const name of ['reno', 'bbr', 'bbr3', 'bbr3-kernel'])
    assert.equal(await noteOnMissing(name, mainline), undefined);
  const silent = { read: () => Promise.reject(new Error('no such file')) } as unknown as Host;
  assert.equal(await noteOnMissing('cubicc', silent), undefined);
});

test('a kernel without a BBRv3 of its own has no "bbr3-kernel"', {
  skip: existsSync('/sys/module/tcp_bbr/version') ? 'this kernel tells a version' : await isOffered('bbr3'),
}, async () => {
  await assert.rejects(usableCongestionControl('bbr3-kernel'), (thrown: unknown) => {
    assert.ok(thrown instanceof CoexistError);
    assert.deepEqual(
      [thrown.code, thrown.message],
      ['missing-congestion-control', 'this kernel has no BBRv3 of its own'],
    );
    assert.match(thrown.hint!, /mainline Linux has BBRv1 only, under the name bbr; "bbr3" loads one/);
    return true;
  });
});

test('"bbr3" is our own, or the reason why it cannot be', async () => {
  try {
    assert.deepEqual(await usableCongestionControl('bbr3'), { name: 'bbr3', ours: true, version: undefined });
  } catch (thrown) {
    assert.ok(thrown instanceof CoexistError && thrown.code === 'missing-congestion-control', String(thrown));
    assert.match(thrown.message, /^BBRv3 cannot be used here: ./);
  }
});

test('whatever else the kernel offers is used under its name', async () => {
  assert.deepEqual(await usableCongestionControl('reno'), { name: 'reno', ours: false, version: undefined });
});

async function isOffered(name: string): Promise<string | false> {
  return (await availableCongestionControls()).includes(name) ? `this kernel has ${name}` : false;
}
