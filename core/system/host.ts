/**
 * A host of the study, whatever it is made of.
 *
 * The harness uses hosts through these interfaces only. A host is a network namespace on this machine, or another
 * machine that is reached over SSH (shaper/topology/ssh). Both can do the same: receive files from here, run programs,
 * return the files that these wrote, and have their times converted to the harness's clock.
 */
import type { SpawnOptions } from 'node:child_process';
import type { Child, CommandOptions, Output } from './command.ts';

/** How a host's clocks stand to the harness's (`nowMs`). */
export type HostClocks = {
  /** harness time = the host's wall clock + this. */
  wallOffsetMs: number;
  /** harness time = the host's CLOCK_MONOTONIC + this. */
  monotonicOffsetMs: number;
  /** Both are right to within this. */
  uncertaintyMs: number;
};

export type StartOptions = Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> & {
  /** It keeps to times of its own, as a media server does: it takes precedence over browsers and floods. */
  isTimed?: boolean;
};

/** A host that may be another machine. */
export interface Host {
  /** Unlike that of any other host of its network: in messages, and part of the name of its namespace. */
  readonly name: string;
  /** Runs a program on the host, to its end. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Output>;
  /** Starts a program on the host. It ends with the harness, however the harness ends. */
  start(name: string, argv: readonly string[], options?: StartOptions): Child;
  /** Process ids, as they are on the host, of everything that runs there. */
  processIds(): Promise<number[]>;
  /** Processor time that those processes have used, s. Those that have ended are left out. */
  cpuSeconds(ids: readonly number[]): Promise<number>;
  /** Kills those processes. */
  endProcesses(ids: readonly number[]): Promise<void>;
  /** The path there of a file of this machine, which is sent where it has to be. What can be run here can be there. */
  give(file: string): Promise<string>;
  /** The words that run a module of ours there, as a program. It imports from Node and from own files alone. */
  moduleWords(module: URL): Promise<string[]>;
  /**
   * The same of a program that imports packages and reads files of ours. What it finds there are top folders of ours, in
   * whole, and the packages that those import. `nodeOptions`: words for Node itself.
   */
  programWords(module: URL, folders: readonly string[], nodeOptions?: readonly string[]): Promise<string[]>;
  /** Where a program on the host has to write what is to become this file here. */
  placeOf(file: string): string;
  /** A folder there, for files that are to be brought into this one, which exists. */
  folderOf(directory: string): Promise<string>;
  /**
   * Brings such a file here, once nobody writes it any more. Nothing of it is left there. `from`: where it is there, if
   * that is not its place.
   */
  bring(file: string, from?: string): Promise<void>;
  /** The text of a short file that the host has. */
  read(file: string): Promise<string>;
  /** At a time of the harness's clock; now where not said. */
  clocks(atMs?: number): HostClocks;
}

/** A host on this machine. */
export interface LocalHost extends Host {
  /** The command line that runs `argv` on the host, for programs that others start (the browser). */
  command(argv: readonly string[]): string[];
}

/** A host that is another machine, with a kernel of its own. */
export interface OtherMachine extends Host {
  /**
   * Shell lines that are run there when the harness has disconnected, for whatever reason, before the lines registered
   * earlier; each is run whatever the result of the others. They must be registered before anything is changed.
   */
  undoAtEnd(lines: readonly string[]): Promise<void>;
}

export const isThisMachine = (host: Host): host is LocalHost => 'command' in host;
