/**
 * A host of the study, independent of its kind.
 *
 * The harness uses hosts through these interfaces only. A host is a network namespace on this machine, or another
 * machine that is reached over SSH (shaper/topology/ssh). Both kinds receive files, run programs, return the files that
 * the programs wrote, and convert their times to the harness's clock.
 */
import type { SpawnOptions } from 'node:child_process';
import type { Child, CommandOptions, Output } from './command.ts';

/** Offsets of a host's clocks from the harness's clock (`nowMs`). */
export type HostClocks = {
  /** harness time = the host's wall clock + this. */
  wallOffsetMs: number;
  /** harness time = the host's CLOCK_MONOTONIC + this. */
  monotonicOffsetMs: number;
  /** Maximum error of both offsets. */
  uncertaintyMs: number;
};

export type StartOptions = Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> & {
  /**
   * True for a program with its own time schedule, such as a media server. It takes precedence over browsers and
   * floods.
   */
  isTimed?: boolean;
};

/** A host that may be another machine. */
export interface Host {
  /** Unique name in its network. Used in messages and in the name of the namespace. */
  readonly name: string;
  /** Runs a program on the host to its end. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Output>;
  /** Starts a program on the host. The program ends when the harness ends, for whatever reason. */
  start(name: string, argv: readonly string[], options?: StartOptions): Child;
  /** Returns the process ids, as seen on the host, of all programs that run there. */
  processIds(): Promise<number[]>;
  /** Returns the processor time of these processes, s. Processes that have ended are left out. */
  cpuSeconds(ids: readonly number[]): Promise<number>;
  /** Kills these processes. */
  endProcesses(ids: readonly number[]): Promise<void>;
  /**
   * Returns the path on the host of a file of this machine, and sends the file if necessary. A file that is executable
   * here is executable there.
   */
  give(file: string): Promise<string>;
  /**
   * Returns the command line that runs a module of this project on the host as a program. The module may import only
   * from Node and from this project's files.
   */
  moduleWords(module: URL): Promise<string[]>;
  /**
   * Returns the command line for a program that also imports packages and reads files of this project. The host gets
   * the whole top folders `folders` and the packages that they import. `nodeOptions`: options for Node itself.
   */
  programWords(module: URL, folders: readonly string[], nodeOptions?: readonly string[]): Promise<string[]>;
  /** Returns the path on the host at which a program must write the future file `file` of this machine. */
  placeOf(file: string): string;
  /** Returns a folder on the host for files that will be brought to the existing folder `directory`. */
  folderOf(directory: string): Promise<string>;
  /**
   * Brings such a file to this machine and deletes it on the host. No program may still write it. `from`: its path on
   * the host if that is not `placeOf(file)`.
   */
  bring(file: string, from?: string): Promise<void>;
  /** Returns the text of a short file on the host. */
  read(file: string): Promise<string>;
  /** Returns the offsets at a time of the harness's clock, by default now. */
  clocks(atMs?: number): HostClocks;
}

/** A host on this machine. */
export interface LocalHost extends Host {
  /** Returns the command line that runs `argv` on the host, for programs that other programs start (the browser). */
  command(argv: readonly string[]): string[];
}

/** A host that is another machine with its own kernel. */
export interface OtherMachine extends Host {
  /**
   * Registers shell lines that the host runs when the harness has disconnected, for whatever reason. Later lines run
   * before earlier ones, and each runs whatever the result of the others. Lines must be registered before the change
   * that they undo.
   */
  undoAtEnd(lines: readonly string[]): Promise<void>;
}

export const isThisMachine = (host: Host): host is LocalHost => 'command' in host;
