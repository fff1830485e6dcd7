/**
 * A host of the study, whatever it is made of.
 *
 * The harness speaks to hosts through these interfaces only. A host of a trial is a network namespace on this machine.
 * The doctor also looks at machines that are reached over SSH (shaper/topology/ssh).
 */
import type { SpawnOptions } from 'node:child_process';
import type { Child, CommandOptions, Output } from './command.ts';

/** A host that may be another machine. */
export interface AnyHost {
  /** Unlike that of any other host of its network: in messages, and part of the name of its namespace. */
  readonly name: string;
  /** Runs a program on the host, to its end. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Output>;
  /** Starts a program on the host. It ends with the harness, however the harness ends. */
  start(name: string, argv: readonly string[], options?: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'>): Child;
  /** Process ids of everything that runs on the host. */
  processIds(): Promise<number[]>;
}

/** A host on this machine. */
export interface Host extends AnyHost {
  /** The command line that runs `argv` on the host, for programs that others start (the browser). */
  command(argv: readonly string[]): string[];
}
