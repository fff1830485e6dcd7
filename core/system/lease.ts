/**
 * What a run has on the machine outside its own memory: namespaces, processes, uplinks, a scratch folder.
 *
 * Each thing is written down before it is made, in a file under /run that names the owner by process
 * id and start time. A run that ends removes its file last; a run that is killed leaves it, and the
 * next start (or `npm run clean`) finds it and removes what it lists, by id, and nothing else.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from '../errors.ts';
import { makeFolder } from './folders.ts';
import { projectRoot } from './paths.ts';
import { isAlive, type ProcessId, processIdOf, startTicks, stateOf } from './process-id.ts';

/** Access to the Internet for the hosts of a run. */
export type LeasedUplink = {
  /** Of its device in the machine's own namespace; the rules that belong to it bear the same name. */
  name: string;
  /** The machine's device that leads to the Internet. */
  device: string;
  /** Whether packets that come in there were forwarded before: "0" or "1". */
  forwarding: string;
};

/** A place among those who want the machine for their trials (machine-turn.ts). */
export type LeasedTurn = {
  /** In words: "experiment hello, results in runs/hello". */
  what: string;
  sinceMs: number;
  /** The smallest comes first; null while it is being chosen. */
  number: number | null;
};

export type LeaseRecord = {
  id: string;
  owner: ProcessId;
  /** What it runs from, which set-up leaves as it is meanwhile; not there: of an older version. */
  checkout?: string;
  namespaces: string[];
  processes: (ProcessId & { name: string })[];
  uplinks: LeasedUplink[];
  /** Scratch folder, removed with everything in it. */
  scratch: string;
  /** Only in a lease that is held for this alone. */
  turn?: LeasedTurn;
};

/** Where leases are kept; a tmpfs, so that they vanish at a reboot together with what they list. */
function leaseFolder(): string {
  return process.env['COEXIST_STATE_DIR'] ?? '/run/coexist';
}

export class Lease {
  readonly #file: string;
  readonly #record: LeaseRecord;

  private constructor(file: string, record: LeaseRecord) {
    this.#file = file;
    this.#record = record;
  }

  static open(folder = leaseFolder()): Lease {
    const id = randomBytes(3).toString('hex');
    const scratch = join(folder, id);
    try {
      makeFolder(folder);
      const lease = new Lease(join(folder, `${id}.json`), {
        id,
        owner: processIdOf(),
        checkout: projectRoot,
        namespaces: [],
        processes: [],
        uplinks: [],
        scratch,
      });
      lease.#write();
      mkdirSync(scratch, { mode: 0o700 });
      return lease;
    } catch (error) {
      throw writeError(error, folder);
    }
  }

  get id(): string {
    return this.#record.id;
  }

  /** A folder for temporary files, gone after the run. */
  get scratch(): string {
    return this.#record.scratch;
  }

  addNamespace(name: string): void {
    this.#record.namespaces.push(name);
    this.#write();
  }

  addProcess(name: string, pid: number): void {
    const ticks = startTicks(pid);
    if (ticks === undefined) return;
    this.#record.processes = this.#record.processes.filter(isAlive);
    this.#record.processes.push({ name, ...processIdOf(pid, ticks) });
    this.#write();
  }

  addUplink(uplink: LeasedUplink): void {
    this.#record.uplinks.push(uplink);
    this.#write();
  }

  /** Forgets an uplink that has been taken away. */
  dropUplink(name: string): void {
    this.#record.uplinks = this.#record.uplinks.filter(uplink => uplink.name !== name);
    this.#write();
  }

  setTurn(turn: LeasedTurn): void {
    this.#record.turn = turn;
    this.#write();
  }

  /** Forgets a namespace that has been removed. */
  dropNamespace(name: string): void {
    this.#record.namespaces = this.#record.namespaces.filter(n => n !== name);
    this.#write();
  }

  /** The last act of a run: everything listed is gone, so the list goes too. */
  release(): void {
    rmSync(this.#record.scratch, { recursive: true, force: true });
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    const { pid, startTicks: ticks } = this.#record.owner;
    // names its owner, since a write that is cut off can end before the first byte
    const next = `${this.#file}.${pid}-${ticks}.next`;
    writeFileSync(next, JSON.stringify(this.#record));
    renameSync(next, this.#file);
  }
}

function isLease(record: Partial<LeaseRecord>): record is LeaseRecord {
  return (
    record.owner !== undefined &&
    Array.isArray(record.namespaces) &&
    Array.isArray(record.processes) &&
    typeof record.scratch === 'string'
  );
}

function readLease(file: string): LeaseRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<LeaseRecord>;
    return isLease(record) ? { ...record, uplinks: record.uplinks ?? [] } : undefined;
  } catch {
    return undefined; // another process removed it, or it is being written: not ours to judge
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** All leases that can be read. */
export function leases(folder = leaseFolder()): { file: string; record: LeaseRecord }[] {
  return list(folder)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const file = join(folder, name);
      const record = readLease(file);
      return record === undefined ? [] : [{ file, record }];
    });
}

/**
 * Leases whose owner no longer runs. One whose owner is in another PID namespace, as in another container, is not ours
 * to judge.
 */
export function orphanedLeases(folder = leaseFolder()): { file: string; record: LeaseRecord }[] {
  return leases(folder).filter(({ record }) => stateOf(record.owner) === 'ended');
}

/** The uplinks of all runs. */
export function leasedUplinks(folder = leaseFolder()): LeasedUplink[] {
  return leases(folder).flatMap(({ record }) => record.uplinks);
}

/**
 * Removes what owners that were killed while they wrote a lease left of it. What it lists is in the lease before it, or
 * was never made.
 */
export function removeTornLeases(folder = leaseFolder()): void {
  for (const name of list(folder)) {
    const [, pid, ticks] = /\.json\.(\d+)-(\d+)\.next$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive({ pid: Number(pid), startTicks: Number(ticks) }))
      rmSync(join(folder, name), { force: true });
  }
}
