/**
 * A host of the study, whatever it is made of.
 *
 * The harness speaks to the four roles through this interface only. Today a host is a network
 * namespace on this machine; a host reached over SSH would be a second implementation.
 */
import type { SpawnOptions } from 'node:child_process';
import type { Child, CommandOptions, Output } from './command.ts';

export type Role = 'server' | 'router' | 'client' | 'flooder';

export const roles: readonly Role[] = ['server', 'router', 'client', 'flooder'];

export interface Host {
  readonly role: Role;
  /** Runs a program on the host, to its end. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Output>;
  /** Starts a program on the host. It ends with the harness, however the harness ends. */
  start(name: string, argv: readonly string[], options?: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'>): Child;
  /** The command line that runs `argv` on the host, for programs that others start (the browser). */
  command(argv: readonly string[]): string[];
  /** Process ids of everything that runs on the host. */
  processIds(): Promise<number[]>;
}

/** One value for each role. */
export function byRole<T>(value: (role: Role) => T): Record<Role, T> {
  return { server: value('server'), router: value('router'), client: value('client'), flooder: value('flooder') };
}
