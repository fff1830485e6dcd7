/**
 * Leases: lists of the things that a run has on the machine outside of its own memory, such as namespaces, processes,
 * uplinks, changed settings and a scratch folder.
 *
 * A lease is a file under /run that names its owner by process id and start time. Each thing is added to the list
 * before it is made. A run that ends removes its lease last. The lease of a killed run stays; the next start (or `npm
 * run clean`) finds it and removes the listed things, by id, and nothing else.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from '../errors.ts';
import { makeFolder } from './folders.ts';
import { projectRoot } from './paths.ts';
import { isAlive, type ProcessId, processIdOf, startTicks, stateOf } from './process-id.ts';

/** Uplink: Internet access for the hosts of a run. */
export type LeasedUplink = {
  /**
   * Name of the uplink's device in the machine's own network namespace. The rules that belong to the uplink have the
   * same name.
   */
  name: string;
  /** Name of the machine's device that leads to the Internet. */
  device: string;
  /**
   * Previous value of the setting that the uplink changes, so that it can be restored: "1" if the machine forwarded
   * packets from `device`, "0" if it did not.
   */
  forwarding: string;
};

/** Setting of the kernel in a network namespace that is not the run's own (foreign-settings.ts). */
export type LeasedSetting = {
  /** Process in the namespace. It lives as long as the namespace. */
  holder: ProcessId;
  /** File of the setting, for example "/proc/sys/net/ipv4/conf/ingress/forwarding". */
  file: string;
  /** Previous value, so that it can be restored. */
  before: string;
};

/** Place of a study in the queue for the machine (machine-turn.ts). */
export type LeasedTurn = {
  /** Description of the study, for example "experiment hello, results in runs/hello". */
  what: string;
  sinceMs: number;
  /** Number of the place. The study with the smallest number runs first. Null while the study chooses its number. */
  number: number | null;
};

export type LeaseRecord = {
  id: string;
  owner: ProcessId;
  /**
   * Folder of the checkout that the run uses. Set-up does not change the checkout during the run. Missing in leases of
   * older versions.
   */
  checkout?: string;
  namespaces: string[];
  processes: (ProcessId & { name: string })[];
  uplinks: LeasedUplink[];
  /** Changed settings; missing if there are none. */
  settings?: LeasedSetting[];
  /** Path of the run's scratch folder. The folder is removed with its contents. */
  scratch: string;
  /** Place in the queue for the machine. Only a lease that was opened to hold such a place has it. */
  turn?: LeasedTurn;
};

/** Returns the folder of the leases. It is on a tmpfs, so leases vanish at a reboot together with the listed things. */
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

  /** Path of the run's folder for temporary files. The folder is removed after the run. */
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

  /** Removes an uplink from the list. Called after the uplink was removed from the machine. */
  dropUplink(name: string): void {
    this.#record.uplinks = this.#record.uplinks.filter(uplink => uplink.name !== name);
    this.#write();
  }

  addSetting(setting: LeasedSetting): void {
    this.#record.settings = [...(this.#record.settings ?? []), setting];
    this.#write();
  }

  setTurn(turn: LeasedTurn): void {
    this.#record.turn = turn;
    this.#write();
  }

  /** Removes a namespace from the list. Called after the namespace was removed from the machine. */
  dropNamespace(name: string): void {
    this.#record.namespaces = this.#record.namespaces.filter(n => n !== name);
    this.#write();
  }

  /** Removes the lease and its scratch folder. Called as the last step of a run, when all listed things are gone. */
  release(): void {
    rmSync(this.#record.scratch, { recursive: true, force: true });
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    const { pid, startTicks: ticks } = this.#record.owner;
    // the name contains the owner, because a killed owner may leave a file that is not complete (removeTornLeases)
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
    return undefined; // another process has removed the file or is writing it
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
 * Returns the leases whose owner has ended. An owner in another PID namespace, for example in another container, counts
 * as running.
 */
export function orphanedLeases(folder = leaseFolder()): { file: string; record: LeaseRecord }[] {
  return leases(folder).filter(({ record }) => stateOf(record.owner) === 'ended');
}

export function leasedUplinks(folder = leaseFolder()): LeasedUplink[] {
  return leases(folder).flatMap(({ record }) => record.uplinks);
}

/**
 * Removes incomplete files of owners that were killed while they wrote a new version of a lease. The previous version
 * of the lease still lists everything that such an owner made.
 */
export function removeTornLeases(folder = leaseFolder()): void {
  for (const name of list(folder)) {
    const [, pid, ticks] = /\.json\.(\d+)-(\d+)\.next$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive({ pid: Number(pid), startTicks: Number(ticks) }))
      rmSync(join(folder, name), { force: true });
  }
}
