/** This machine as a host. It is used only to check which capabilities the machine has, never for measurements. */
import { spawn } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';
import { Child, run } from './command.ts';
import { type Host, isThisMachine, type LocalHost } from './host.ts';
import { thisMachine } from './this-machine.ts';

export const localHost: LocalHost = {
  ...thisMachine,
  name: 'this machine',
  run: (argv, options) => run(argv, options),
  command: argv => ['setpriv', '--pdeathsig', 'KILL', '--', ...argv],
  start: (name, argv, { isTimed: _, ...options } = {}) =>
    new Child(
      name,
      spawn(argv[0]!, argv.slice(1), {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
        ...options,
        env: childEnvironment(options.env),
      }),
    ),
  processIds: async () => [process.pid],
};

/** Returns the machine on whose kernel the host runs. All hosts on this machine return the same one. */
export const machineOf = (host: Host): Host => (isThisMachine(host) ? localHost : host);
