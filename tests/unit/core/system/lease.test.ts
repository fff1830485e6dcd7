import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  Lease,
  type LeaseRecord,
  leasedUplinks,
  orphanedLeases,
  removeTornLeases,
} from '../../../../core/system/lease.ts';
import { processIdOf, startTicks } from '../../../../core/system/process-id.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const directory = temporaryFolder();

test('everything is written down before it is made, and gone after release', () => {
  const lease = Lease.open(directory);
  lease.addNamespace('a');
  lease.addNamespace('b');
  lease.addProcess('self', process.pid);
  lease.dropNamespace('a');
  const uplink = { name: 'cx-1', device: 'eth0', forwarding: '0' };
  for (const name of ['cx-1', 'cx-2']) lease.addUplink({ ...uplink, name });
  lease.dropUplink('cx-2');
  assert.deepEqual(leasedUplinks(directory), [uplink]);
  const record = JSON.parse(readFileSync(join(directory, `${lease.id}.json`), 'utf8')) as LeaseRecord;
  assert.deepEqual(record.namespaces, ['b']);
  assert.equal(record.processes[0]!.pid, process.pid);
  assert.ok(existsSync(lease.scratch));
  assert.deepEqual(orphanedLeases(directory), []);
  lease.release();
  assert.deepEqual(readdirSync(directory), []);
});

test('a lease whose owner is gone is an orphan; rubbish beside it is left alone', () => {
  const record: LeaseRecord = {
    id: 'x',
    owner: { pid: process.pid, startTicks: 1 },
    namespaces: ['n'],
    processes: [],
    uplinks: [],
    scratch: join(directory, 'x'),
  };
  writeFileSync(join(directory, 'x.json'), JSON.stringify(record));
  writeFileSync(join(directory, 'rubbish.json'), '{');
  assert.deepEqual(
    orphanedLeases(directory).map(orphan => orphan.record),
    [record],
  );
});

test('a lease of a version that knew no uplinks lists none', () => {
  writeFileSync(
    join(directory, 'x.json'),
    JSON.stringify({ id: 'x', owner: { pid: process.pid, startTicks: 1 }, namespaces: [], processes: [], scratch: '' }),
  );
  assert.deepEqual(
    orphanedLeases(directory).map(({ record }) => record.uplinks),
    [[]],
  );
});

test('a lease that was cut off while it was written is removed, one that is being written is not', () => {
  const ours = `alive.json.${process.pid}-${startTicks(process.pid)}.next`;
  writeFileSync(join(directory, ours), '{"id":');
  writeFileSync(join(directory, `dead.json.${process.pid}-1.next`), '{"id":"y"}');
  writeFileSync(join(directory, `empty.json.${process.pid}-1.next`), '');
  writeFileSync(join(directory, 'not-ours.next'), '');
  removeTornLeases(directory);
  assert.deepEqual(
    readdirSync(directory)
      .filter(name => name.endsWith('.next'))
      .sort(),
    [ours, 'not-ours.next'],
  );
});

test('whose owner was of an earlier boot is an orphan, whose owner is in another PID namespace is not', () => {
  const state = temporaryFolder();
  const owner = processIdOf();
  const write = (id: string, change: object) => {
    writeFileSync(
      join(state, `${id}.json`),
      JSON.stringify({
        id,
        owner: { ...owner, ...change },
        namespaces: [],
        processes: [],
        uplinks: [],
        scratch: '',
      } satisfies LeaseRecord),
    );
  };
  write('mine', {});
  write('before', { bootId: 'another' });
  write('elsewhere', { pidNamespace: 'pid:[1]', startTicks: 1 });
  write('gone', { startTicks: 1 });
  assert.deepEqual(
    orphanedLeases(state)
      .map(({ record }) => record.id)
      .sort(),
    ['before', 'gone'],
  );
});
