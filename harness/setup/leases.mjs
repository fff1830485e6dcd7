/**
 * Finds runs in progress in this checkout by their leases, each of which names its owner (core/system/lease.ts). Runs
 * started by harness/setup/run.mjs also hold a lock (lock.mjs). If that program is killed, its lock is released, but
 * its study needs a moment to end.
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

/** True if exactly that process lives, in this boot and PID namespace, as in core/system/process-id.ts. */
function isAlive({ pid, startTicks, bootId, pidNamespace }) {
  if (bootId !== undefined && bootId !== readText('/proc/sys/kernel/random/boot_id')) return false;
  if (pidNamespace !== undefined && pidNamespace !== readlinkSync('/proc/self/ns/pid')) return false;
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[19]) === startTicks && fields[0] !== 'Z';
}

/** Folders of the leases of root and of runs in a user namespace. */
export const leaseFolders = () => [process.env.COEXIST_STATE_DIR ?? '/run/coexist', stateFolder()];

function recordsIn(directory) {
  let names = [];
  try {
    names = readdirSync(directory).filter(name => name.endsWith('.json'));
  } catch {
    return []; // this machine never had a run
  }
  return names.flatMap(name => {
    try {
      return [JSON.parse(readFileSync(join(directory, name), 'utf8'))];
    } catch {
      return []; // the run ended meanwhile
    }
  });
}

/** Id of a process that runs trials with the files of the checkout; undefined if none. */
export function runningOwner(root, directories = leaseFolders()) {
  // leases of older versions do not name their checkout
  const isOurs = ({ checkout = root }) => checkout === root;
  return directories
    .flatMap(recordsIn)
    .find(record => typeof record?.owner?.pid === 'number' && isOurs(record) && isAlive(record.owner))?.owner.pid;
}
