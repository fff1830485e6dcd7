/**
 * The commands of the harness, one after another in one process: each line of the input holds the words of one, which
 * harness/main.ts runs as it would in a process of its own. Each is answered with a line {status, stdout, stderr}.
 */
import { createInterface } from 'node:readline';

const answer = process.stdout.write.bind(process.stdout);
const said = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = ((text: string | Uint8Array) => {
    said[name] += String(text);
    return true;
  }) as typeof process.stdout.write;
  process[name].setMaxListeners(0); // main.ts adds one with each command
}

let commands = 0;
for await (const line of createInterface({ input: process.stdin })) {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...(JSON.parse(line) as string[]));
  Object.assign(said, { stdout: '', stderr: '' });
  process.exitCode = undefined;
  await import(`../../../harness/main.ts?command=${++commands}`); // the same file anew; what it imports is kept
  answer(`${JSON.stringify({ status: process.exitCode ?? 0, ...said })}\n`);
}
process.exitCode = 0;
