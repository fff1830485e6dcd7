/** A host whose programs are shell scripts of the test's own. */
import { spawn } from 'node:child_process';
import { Child, type Output } from '../../../../core/system/command.ts';
import type { LocalHost } from '../../../../core/system/host.ts';
import { thisMachine } from '../../../../core/system/this-machine.ts';

/** `script` runs in place of whatever is started; `answer` is printed by whatever is run; `hostName`: of the host. */
export function fakeHost(
  script: string,
  answer = '',
  hostName = 'server',
): LocalHost & { started: string[][]; asked: string[][] } {
  const started: string[][] = [];
  const asked: string[][] = [];
  return {
    ...thisMachine,
    name: hostName,
    started,
    asked,
    async run(argv): Promise<Output> {
      asked.push([...argv]);
      return { status: 0, signal: null, stdout: answer, stderr: '' };
    },
    start(name, argv, options) {
      started.push([...argv]);
      return new Child(name, spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'], ...options }));
    },
    command: argv => [...argv],
    processIds: async () => [],
  };
}
