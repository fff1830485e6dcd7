/**
 * A host of the study, of either kind: a network namespace on this machine, or another machine that is reached over SSH
 * (shaper/topology/ssh).
 *
 * The harness uses hosts only through these interfaces. Hosts of both kinds receive files, run programs, return the
 * files that the programs wrote, and convert their times to the harness's clock.
 */
import type { SpawnOptions } from 'node:child_process';
import type { Child, CommandOptions, Output } from './command.ts';

/** Offsets of a host's clocks from the harness's clock (`nowMs`). */
export type HostClocks = {
  /** Milliseconds to add to a time of the host's wall clock to get the time of the harness. */
  wallOffsetMs: number;
  /** Milliseconds to add to a time of the host's CLOCK_MONOTONIC to get the time of the harness. */
  monotonicOffsetMs: number;
  /** Largest possible error of the two offsets, ms. */
  uncertaintyMs: number;
};

export type StartOptions = Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> & {
  /**
   * True for a program that must keep its own schedule, such as a media server. The processor prefers it to browsers
   * and floods.
   */
  isTimed?: boolean;
};

/** A host on this machine or on another one. */
export interface Host {
  /** Name of the host, unique in its network. It appears in messages and in the name of the namespace. */
  readonly name: string;
  /** Runs a program on the host to its end and returns its output. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Output>;
  /**
   * Starts a program on the host and returns it without waiting for its end. The program ends when the harness ends,
   * for whatever reason.
   */
  start(name: string, argv: readonly string[], options?: StartOptions): Child;
  /** Returns the process ids of all programs that run on the host, as the host numbers them. */
  processIds(): Promise<number[]>;
  /** Returns the total processor time of the processes with these ids, s. Processes that have ended are left out. */
  cpuSeconds(ids: readonly number[]): Promise<number>;
  /** Kills the processes with these ids. */
  endProcesses(ids: readonly number[]): Promise<void>;
  /**
   * Returns the path on the host of a file of this machine, and sends the file if the host does not have it. A file
   * that is executable here is executable there.
   */
  give(file: string): Promise<string>;
  /**
   * Returns the command line that runs `module` on the host as a program. The module may import only from Node and from
   * this project's files.
   */
  moduleWords(module: URL): Promise<string[]>;
  /**
   * Returns the command line that runs `module` on the host as a program. The module may also import packages and read
   * files of the project: the host gets the top folders `folders` and the packages that they import. `nodeOptions`:
   * options for Node itself.
   */
  programWords(module: URL, folders: readonly string[], nodeOptions?: readonly string[]): Promise<string[]>;
  /**
   * Returns the path on the host at which a program must write a file that will be brought to the path `file` on this
   * machine.
   */
  placeOf(file: string): string;
  /**
   * Returns the path of a folder on the host for files of programs. These files will be brought to the folder
   * `directory` on this machine, which must exist.
   */
  folderOf(directory: string): Promise<string>;
  /**
   * Brings a file that a program wrote on the host to the path `file` on this machine, and deletes it on the host. The
   * program must have finished writing. `from`: path on the host, if it is not `placeOf(file)`.
   */
  bring(file: string, from?: string): Promise<void>;
  /** Returns the text of a short file of the host. */
  read(file: string): Promise<string>;
  /** Returns the offsets of the host's clocks at a time of the harness's clock, by default now. */
  clocks(atMs?: number): HostClocks;
}

/** A host that is a network namespace of this machine, or this machine itself. */
export interface LocalHost extends Host {
  /**
   * Returns the command line that runs `argv` on the host. It is for programs that are started by another program, such
   * as the browser.
   */
  command(argv: readonly string[]): string[];
}

/** A host that is another machine, with a kernel of its own. */
export interface OtherMachine extends Host {
  /**
   * Registers lines of shell script that undo a change. The host runs them when the harness has disconnected, for
   * whatever reason. Lines that were registered later run earlier, and each runs even if others fail. A caller
   * registers the lines before it makes the change.
   */
  undoAtEnd(lines: readonly string[]): Promise<void>;
}

export const isThisMachine = (host: Host): host is LocalHost => 'command' in host;
