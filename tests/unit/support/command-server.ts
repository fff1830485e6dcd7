/**
 * A process that runs command lines one after another, each a line of JSON on its standard input, and answers each with
 * a line {status, stdout, stderr}. To start Node and to load the modules takes longer than most of them.
 */
import { createInterface } from 'node:readline';
import { runCommand } from '../../../harness/cli/commands.ts';

const answer = process.stdout.write.bind(process.stdout);
const said = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (text: string | Uint8Array, ...more: unknown[]) => {
    said[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    const done = more.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  };

for await (const line of createInterface({ input: process.stdin })) {
  said.stdout = said.stderr = '';
  const status = await runCommand(JSON.parse(line) as string[]);
  answer(`${JSON.stringify({ status, ...said })}\n`);
}
