/**
 * Runs that go on in this checkout, however they were started: each has a lease, which names its owner (core/system/lease.ts).
 * Whoever starts one through harness/setup/run.mjs also holds a lock (lock.mjs); a wrapper that was killed holds none,
 * and its study takes a moment to end.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from './user-namespace.mjs';

function readText(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** As core/system/process-id.ts has it: exactly that process, in this boot and PID namespace. */
function isAlive({ pid, startTicks, bootId, pidNamespace }) {
  if (bootId !== undefined && bootId !== readText('/proc/sys/kernel/random/boot_id')) return false;
  if (pidNamespace !== undefined && pidNamespace !== readlinkSync('/proc/self/ns/pid')) return false;
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[19]) === startTicks && fields[0] !== 'Z';
}

/** Where leases are kept, for root and for runs in a user namespace. */
export const leaseFolders = () => [process.env.COEXIST_STATE_DIR ?? '/run/coexist', stateFolder()];

function recordsIn(directory) {
  let names = [];
  try {
    names = readdirSync(directory).filter(name => name.endsWith('.json'));
  } catch {
    return []; // no run was ever here
  }
  return names.flatMap(name => {
    try {
      return [JSON.parse(readFileSync(join(directory, name), 'utf8'))];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Id of a process that runs trials with what is in the checkout; undefined where there is none. */
export function runningOwner(root, directories = leaseFolders()) {
  // leases of older versions do not say where they are from
  const isOurs = ({ checkout = root }) => checkout === root;
  return directories
    .flatMap(recordsIn)
    .find(record => typeof record?.owner?.pid === 'number' && isOurs(record) && isAlive(record.owner))?.owner.pid;
}
