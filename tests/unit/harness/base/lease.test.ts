import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Lease, orphanedLeases } from '../../../../harness/base/lease.ts';
import type { LeaseRecord } from '../../../../harness/base/lease.ts';

const directory = mkdtempSync(join(tmpdir(), 'coexist-test-'));
after(() => rmSync(directory, { recursive: true }));

test('everything is written down before it is made, and gone after release', () => {
  const lease = Lease.open(directory);
  lease.addNamespace('a');
  lease.addNamespace('b');
  lease.addProcess('self', process.pid);
  lease.dropNamespace('a');
  const record = JSON.parse(readFileSync(join(directory, `${lease.id}.json`), 'utf8')) as LeaseRecord;
  assert.deepEqual(record.namespaces, ['b']);
  assert.equal(record.processes[0]!.pid, process.pid);
  assert.ok(existsSync(lease.scratch));
  assert.deepEqual(orphanedLeases(directory), []);
  lease.release();
  assert.deepEqual(readdirSync(directory), []);
});

test('a lease whose owner is gone is an orphan; rubbish beside it is left alone', () => {
  const record: LeaseRecord = { id: 'x', owner: { pid: process.pid, startTicks: 1 }, namespaces: ['n'], processes: [], scratch: join(directory, 'x') };
  writeFileSync(join(directory, 'x.json'), JSON.stringify(record));
  writeFileSync(join(directory, 'rubbish.json'), '{');
  assert.deepEqual(orphanedLeases(directory).map(orphan => orphan.record), [record]);
});
