/**
 * Finds the runs that use this checkout, by their leases (core/system/lease.ts). A run that harness/setup/run.mjs
 * started also holds a lock (lock.mjs). But if run.mjs is killed, its lock is released at once, while the run needs a
 * moment to end.
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

/**
 * Returns true if the process with this id runs: not a later one with the same number, nor one of an earlier boot or
 * another PID namespace, as in core/system/process-id.ts.
 */
function isAlive({ pid, startTicks, bootId, pidNamespace }) {
  if (bootId !== undefined && bootId !== readText('/proc/sys/kernel/random/boot_id')) return false;
  if (pidNamespace !== undefined && pidNamespace !== readlinkSync('/proc/self/ns/pid')) return false;
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[19]) === startTicks && fields[0] !== 'Z';
}

/** Returns the folders with leases: of runs as root, and of runs in a user namespace. */
export const leaseFolders = () => [process.env.COEXIST_STATE_DIR ?? '/run/coexist', stateFolder()];

function recordsIn(directory) {
  let names = [];
  try {
    names = readdirSync(directory).filter(name => name.endsWith('.json'));
  } catch {
    return []; // there was never a run on this machine
  }
  return names.flatMap(name => {
    try {
      return [JSON.parse(readFileSync(join(directory, name), 'utf8'))];
    } catch {
      return []; // the run has ended since the folder was listed
    }
  });
}

/** Returns the id of a process that runs trials with the files of the checkout `root`. Undefined if there is none. */
export function runningOwner(root, directories = leaseFolders()) {
  // leases of older versions do not state their checkout
  const isOurs = ({ checkout = root }) => checkout === root;
  return directories
    .flatMap(recordsIn)
    .find(record => typeof record?.owner?.pid === 'number' && isOurs(record) && isAlive(record.owner))?.owner.pid;
}
