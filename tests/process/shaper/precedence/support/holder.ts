/**
 * A program that holds precedence by the means in its first argument (JSON), and starts a program with its words, like
 * a harness. Prints JSON, {"child": id, "own": nice value}; a line on standard input makes it release the precedence.
 */
import { spawn } from 'node:child_process';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { holdPrecedence } from '../../../../../shaper/precedence/precedence.ts';

const held = await holdPrecedence(JSON.parse(process.argv[2]!));
const [file, ...words] = [...held.words('timed'), 'sleep', '600'];
const child = spawn(file!, words, { stdio: 'ignore', detached: true });
child.on('exit', () => process.exit(2));
const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ child: child.pid, own: getPriority() });
for await (const _ of createInterface({ input: process.stdin })) {
  await held.release();
  say({ own: getPriority() });
}
