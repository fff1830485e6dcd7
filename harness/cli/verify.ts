/** `npm run verify -- DIR`: recomputes a run's numbers with a second implementation and prints the differences. */
import { resolve } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { recompute } from '../analysis/verify/recompute.ts';
import { runIn } from '../record/cycles.ts';
import { parseArguments } from './arguments.ts';
import { jsonOption, jsonUsage, prepareJson, printed, putJson } from './json-output.ts';
import { print } from './print.ts';

const usage = `npm run verify -- DIR [--all] [--voice] ${jsonUsage}`;

/** Runs the command. Returns exit status 4 if numbers differ. A missed threshold has the same exit status. */
export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(
    argv,
    { all: { type: 'boolean' }, voice: { type: 'boolean' }, ...jsonOption },
    usage,
  );
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    throw new CoexistError('usage', 'verify needs the folder of a run', { hint: usage });
  const { json } = values;
  prepareJson(json);
  const folder = resolve(path);
  const { status, stdout, stderr } = await recompute(runIn(folder) ?? folder, [
    ...(values.all === true ? ['--all'] : []),
    ...(values.voice === true ? ['--voice'] : []),
    ...(json === undefined ? [] : ['--json']),
  ]);
  print(json === undefined || json === printed || stdout === '' ? stdout : toFile(json, stdout));
  print(stderr, process.stderr);
  return status ?? exitStatus.machineCannot;
}

/**
 * Writes `told`, the JSON output of the second implementation, to a file. Returns the text for the terminal: how many
 * values were recomputed, how many differ, and the path of the file.
 */
function toFile(file: string, told: string): string {
  const result = JSON.parse(told) as { values: number; differing: number };
  const written = putJson(file, result);
  return `${result.values} values recomputed: ${result.differing} differ by more than rounding\n${written}`;
}
