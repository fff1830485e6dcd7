import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Lease } from '../../../../core/system/lease.ts';
import { forward, forwardAsBefore, forwardingBefore } from '../../../../shaper/topology/forwarding.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

process.env['COEXIST_STATE_DIR'] = temporaryFolder();
const settings = temporaryFolder();
const device = (name: string, value: string) => {
  mkdirSync(join(settings, name));
  writeFileSync(join(settings, name, 'forwarding'), `${value}\n`);
};
const now = (name: string) => readFileSync(join(settings, name, 'forwarding'), 'utf8').trim();

/** A run that turns forwarding on for the device, and its end. */
function uplink(name: string, on: string) {
  const lease = Lease.open();
  const leased = { name, device: on, forwarding: forwardingBefore(on, settings) };
  lease.addUplink(leased);
  forward(on, settings);
  return () => {
    forwardAsBefore(leased, settings);
    lease.release();
  };
}

test('what was before the first run is put back by the last, whoever ends first', () => {
  device('eth1', '0');
  const [first, second] = [uplink('cx-1', 'eth1'), uplink('cx-2', 'eth1')];
  assert.equal(now('eth1'), '1');
  first();
  assert.equal(now('eth1'), '1', 'the other still needs it');
  second();
  assert.equal(now('eth1'), '0');
});

test('a machine that forwards goes on forwarding', () => {
  device('eth2', '1');
  uplink('cx-3', 'eth2')();
  assert.equal(now('eth2'), '1');
});

test('another device is another matter; one that is gone needs nothing', () => {
  device('eth3', '0');
  device('eth4', '0');
  const [third, fourth] = [uplink('cx-4', 'eth3'), uplink('cx-5', 'eth4')];
  third();
  assert.deepEqual([now('eth3'), now('eth4')], ['0', '1']);
  rmSync(join(settings, 'eth4'), { recursive: true });
  fourth();
});

test('a kernel that does not let it be set is said in words', () => {
  assert.throws(() => forward('eth9', settings), {
    code: 'no-internet',
    message: 'packets that come in at eth9 cannot be forwarded (ENOENT)',
  });
});
