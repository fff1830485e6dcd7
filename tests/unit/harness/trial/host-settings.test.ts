import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostSettings, settingsFindings } from '../../../../harness/trial/host-settings.ts';
import { fakeHost } from '../support/fake-host.ts';

test('hosts are read once, the machine before each trial, and what differs is a note on a trial that counts', async () => {
  const machine = fakeHost('true', '/proc/sys/net/core/rmem_max:65536\numask:0022\n');
  const host = fakeHost('true', '/proc/sys/net/ipv4/tcp_wmem:4096\t16384\t65536\n', 'left-1');
  const settings = new HostSettings(machine);
  const first = await settings.read([host, host]);
  assert.deepEqual(await settings.read([host]), first);
  assert.deepEqual(first.machine, { 'net.core.rmem_max': '65536', umask: '0022' });
  assert.deepEqual([machine.asked.length, host.asked.length], [2, 1]);
  assert.deepEqual(settingsFindings(first), [
    {
      kind: 'host',
      status: 'note',
      message:
        'a setting of this machine: net.core.rmem_max is 65536, should be at least 212992 ' +
        '(largest receive buffer that a UDP socket of a browser gets)',
    },
    {
      kind: 'host',
      status: 'note',
      message:
        'net.ipv4.tcp_wmem of left-1 is 4096 16384 65536, not 4096 16384 268435456 ' +
        '(send buffer: least, first, most (Linux: most 4 MB))',
    },
  ]);
});

test('a host that did not answer is asked again by the next trial', async () => {
  let isLost = true;
  const host = {
    name: 'left-1',
    run: async () => {
      if (isLost) throw new Error('gone');
      return { status: 0, signal: null, stdout: '', stderr: '' };
    },
  };
  const settings = new HostSettings(fakeHost('true'));
  await assert.rejects(settings.read([host]), /gone/);
  isLost = false;
  assert.deepEqual(await settings.read([host]), { machine: {}, differences: [] });
});
