/** `npm run report -- DIR`: renders summary and report again from the record. */
import { CoexistError, exitStatus } from '../base/errors.ts';
import { RunFolder } from '../record/run-folder.ts';
import { parseArguments } from './arguments.ts';
import { finishRun } from './finish.ts';
import { giveBack } from './ownership.ts';

const usage = 'npm run report -- DIR [--json]';

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, { json: { type: 'boolean' } }, usage);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new CoexistError('usage', 'report needs the folder of one run', { hint: usage });
  const { summary, summaryPath, reportPath } = await finishRun(RunFolder.open(path));
  giveBack(summaryPath);
  giveBack(reportPath);
  process.stdout.write(values.json === true ? `${JSON.stringify(summary)}\n` : `summary: ${summaryPath}\nreport:  ${reportPath}\n`);
  return exitStatus.done;
}
