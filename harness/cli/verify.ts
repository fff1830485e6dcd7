/** `npm run verify -- DIR`: recomputes a run's numbers with a second implementation and prints the differences. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import type { Output } from '../../core/system/command.ts';
import { withScratch } from '../../core/system/scratch.ts';
import { recompute } from '../analysis/verify/recompute.ts';
import { runIn } from '../record/cycles.ts';
import { keepVoiceScores } from '../record/voice-scores.ts';
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
  const run = runIn(folder) ?? folder;
  const options = [...(values.all === true ? ['--all'] : []), ...(json === undefined ? [] : ['--json'])];
  const { status, stdout, stderr } = values.voice === true ? await scored(run, options) : await recompute(run, options);
  print(json === undefined || json === printed || stdout === '' ? stdout : toFile(json, stdout));
  print(stderr, process.stderr);
  return status ?? exitStatus.machineCannot;
}

/** Recomputes a run and scores its voices, beside the codec alone. The scores are kept in the run folder, for its report. */
function scored(run: string, options: readonly string[]): Promise<Output> {
  return withScratch(async scratch => {
    const [codec, scores] = [join(scratch, 'codec.json'), join(scratch, 'scores.json')];
    const isRun = existsSync(join(run, 'plan.json')) && existsSync(join(run, 'trials'));
    if (isRun) {
      const { codecVoices } = await import('./codec-voices.ts'); // only this needs FFmpeg
      writeFileSync(codec, JSON.stringify(await codecVoices(run)));
    }
    const output = await recompute(run, [
      ...options,
      '--voice',
      ...(isRun ? [`--codec=${codec}`, `--scores=${scores}`] : []),
    ]);
    if (existsSync(scores)) keepVoiceScores(run, scores);
    return output;
  });
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
