/**
 * Leases: a list of the things that a run has on the machine outside its own memory: namespaces, processes, uplinks, a
 * scratch folder.
 *
 * Each thing is recorded before it is made, in a file under /run that names the owner by process id and start time. A
 * run that ends removes its file last. A killed run leaves its file; the next start (or `npm run clean`) finds it and
 * removes the listed things, by id, and nothing else.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from '../errors.ts';
import { makeFolder } from './folders.ts';
import { projectRoot } from './paths.ts';
import { isAlive, type ProcessId, processIdOf, startTicks, stateOf } from './process-id.ts';

/** Internet access for the hosts of a run. */
export type LeasedUplink = {
  /** Name of its device in the machine's own namespace, and of the rules that belong to it. */
  name: string;
  /** Device of the machine that leads to the Internet. */
  device: string;
  /** Previous setting of the forwarding of packets from this device: "0" or "1". */
  forwarding: string;
};

/** Place in the queue for the machine (machine-turn.ts). */
export type LeasedTurn = {
  /** Description, for example "experiment hello, results in runs/hello". */
  what: string;
  sinceMs: number;
  /** Number of the place; the smallest comes first. Null while it is being chosen. */
  number: number | null;
};

export type LeaseRecord = {
  id: string;
  owner: ProcessId;
  /** Checkout that the run uses. Set-up does not change it during the run. Missing in leases of older versions. */
  checkout?: string;
  namespaces: string[];
  processes: (ProcessId & { name: string })[];
  uplinks: LeasedUplink[];
  /** Scratch folder. It is removed with its contents. */
  scratch: string;
  /** Only in a lease that is held for a turn and nothing else. */
  turn?: LeasedTurn;
};

/**
 * Returns the folder of the leases. It is on a tmpfs, so leases vanish at a reboot together with the things that they
 * list.
 */
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

  /** Folder for temporary files. It is removed after the run. */
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

  /** Removes an uplink from the list after its removal. */
  dropUplink(name: string): void {
    this.#record.uplinks = this.#record.uplinks.filter(uplink => uplink.name !== name);
    this.#write();
  }

  setTurn(turn: LeasedTurn): void {
    this.#record.turn = turn;
    this.#write();
  }

  /** Removes a namespace from the list after its removal. */
  dropNamespace(name: string): void {
    this.#record.namespaces = this.#record.namespaces.filter(n => n !== name);
    this.#write();
  }

  /** Ends the lease as the last step of a run, when all listed things are gone. */
  release(): void {
    rmSync(this.#record.scratch, { recursive: true, force: true });
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    const { pid, startTicks: ticks } = this.#record.owner;
    // the name contains the owner, because an interrupted write may leave an empty file
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
    return undefined; // another process removed it or is writing it
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns all leases that can be read. */
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
 * Returns the leases whose owner no longer runs. Owners in another PID namespace, for example in another container,
 * count as running.
 */
export function orphanedLeases(folder = leaseFolder()): { file: string; record: LeaseRecord }[] {
  return leases(folder).filter(({ record }) => stateOf(record.owner) === 'ended');
}

export function leasedUplinks(folder = leaseFolder()): LeasedUplink[] {
  return leases(folder).flatMap(({ record }) => record.uplinks);
}

/**
 * Removes partial files of owners that were killed while they wrote a lease. The previous version of the lease lists
 * everything that such an owner made.
 */
export function removeTornLeases(folder = leaseFolder()): void {
  for (const name of list(folder)) {
    const [, pid, ticks] = /\.json\.(\d+)-(\d+)\.next$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive({ pid: Number(pid), startTicks: Number(ticks) }))
      rmSync(join(folder, name), { force: true });
  }
}
