/**
 * A host of the study, whatever it is made of.
 *
 * The harness speaks to hosts through this interface only. Today a host is a network namespace on
 * this machine; a host reached over SSH would be a second implementation.
 */
import type { SpawnOptions } from 'node:child_process';
import type { Child, CommandOptions, Output } from './command.ts';

export interface Host {
  /** Unlike that of any other host of its network: in messages, and part of the name of its namespace. */
  readonly name: string;
  /** Runs a program on the host, to its end. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Output>;
  /** Starts a program on the host. It ends with the harness, however the harness ends. */
  start(name: string, argv: readonly string[], options?: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'>): Child;
  /** The command line that runs `argv` on the host, for programs that others start (the browser). */
  command(argv: readonly string[]): string[];
  /** Process ids of everything that runs on the host. */
  processIds(): Promise<number[]>;
}
