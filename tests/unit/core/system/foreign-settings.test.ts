import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { ForeignSettings, type RunIn, restoreSettings } from '../../../../core/system/foreign-settings.ts';
import { Lease, leases } from '../../../../core/system/lease.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const folderOf = '/proc/sys/net/ipv4/conf/ingress';
const [forwarding, filter] = [`${folderOf}/forwarding`, `${folderOf}/rp_filter`] as const;

/** Namespaces of processes: their settings by file. Files whose name ends in "fixed" cannot be written. */
function namespacesOf(values: Record<number, Record<string, string>>) {
  const written: string[] = [];
  const runIn: RunIn = async (pid, [program, ...words]) => {
    const own = values[pid] ?? {};
    if (program === 'cat') {
      const value = own[words[0]!];
      return value === undefined ? { status: 1, stdout: '' } : { status: 0, stdout: `${value}\n` };
    }
    const [, , file, value] = words as [string, string, string, string];
    if (own[file] === undefined || file.endsWith('fixed')) return { status: 1, stdout: '' };
    own[file] = value;
    written.push(`${file}=${value}`);
    return { status: 0, stdout: '' };
  };
  return { values, written, runIn };
}

test('settings are put back at the end, the last change first, and those that were right are left alone', async () => {
  const { values, written, runIn } = namespacesOf({ [process.pid]: { [forwarding]: '0', [filter]: '2', kept: '1' } });
  const lease = Lease.open(folder);
  const settings = new ForeignSettings(lease, runIn);
  assert.equal(await settings.set(process.pid, { [filter]: '0', [forwarding]: '1', kept: '1' }), undefined);
  assert.deepEqual(values[process.pid], { [forwarding]: '1', [filter]: '0', kept: '1' });
  await settings.restore();
  assert.deepEqual(values[process.pid], { [forwarding]: '0', [filter]: '2', kept: '1' });
  assert.deepEqual(written.slice(2), [`${forwarding}=0`, `${filter}=2`]);
  assert.ok(!existsSync(lease.scratch));
  await settings.restore();
  assert.equal(written.length, 4);
});

test('a setting is in the lease before it is changed, so that the next start restores it after a kill', async () => {
  const { values, runIn } = namespacesOf({ [process.pid]: { [forwarding]: '0' } });
  const lease = Lease.open(folder);
  const listed = () => leases(folder).find(({ record }) => record.id === lease.id)!.record.settings;
  const atWrite: unknown[] = [];
  const watched: RunIn = (pid, argv) => {
    if (argv[0] === 'sh') atWrite.push(listed());
    return runIn(pid, argv);
  };
  assert.equal(await new ForeignSettings(lease, watched).set(process.pid, { [forwarding]: '1' }), undefined);
  assert.deepEqual(atWrite, [listed()]);
  assert.equal(values[process.pid]![forwarding], '1');
  // nothing but the lease is left of the run
  assert.deepEqual(await restoreSettings(listed()!, runIn), ['net.ipv4.conf.ingress.forwarding']);
  assert.equal(values[process.pid]![forwarding], '0');
  lease.release();
});

test('a namespace that is gone, whose process number another has, and a device that is gone need nothing', async () => {
  const { values, runIn } = namespacesOf({ [process.pid]: { [forwarding]: '1' } });
  const another = { pid: process.pid, startTicks: 1 };
  assert.deepEqual(await restoreSettings([{ holder: another, file: forwarding, before: '0' }], runIn), []);
  assert.equal(values[process.pid]![forwarding], '1');
  const lease = Lease.open(folder);
  const settings = new ForeignSettings(lease, runIn);
  await settings.set(process.pid, { [forwarding]: '0' });
  delete values[process.pid]![forwarding];
  await settings.restore();
  assert.ok(!existsSync(lease.scratch));
});

test('a setting that the kernel refuses or does not have is named', async () => {
  const { runIn } = namespacesOf({ [process.pid]: { fixed: '0' } });
  const settings = new ForeignSettings(Lease.open(folder), runIn);
  assert.equal(await settings.set(process.pid, { fixed: '1' }), 'fixed');
  assert.equal(await settings.set(process.pid, { missing: '1' }), 'missing');
  await settings.restore();
});
