/**
 * Runs commands that only plan or list, one after another in one process: `node planned-commands.ts FILE`, where FILE
 * holds a list of [name, words]. Each is answered with a line of JSON: its exit status, or its error.
 */
import { readFileSync } from 'node:fs';
import { messageOf } from '../../../core/errors.ts';

type Command = (argv: string[]) => Promise<number>;

const lines = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as [string, string[]][];
for (const [name, words] of lines) {
  const { command } = (await import(`../../../harness/cli/${name}.ts`)) as { command: Command };
  const status = await command(words).catch(messageOf);
  process.stdout.write(`\n${JSON.stringify({ status })}\n`);
}
