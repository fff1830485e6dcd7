/** `npm run export -- RUN`: writes the record of a run in common formats, with a data dictionary. */
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { unknownName } from '../../core/text/nearest.ts';
import { summarise } from '../analysis/summary/summarise.ts';
import { type ExportFormat, exportFormats, exportRun } from '../exchange/export-run.ts';
import { kindOfFolder } from '../studies/kinds.ts';
import { loadMetrics } from '../studies/metrics.ts';
import { parseArguments } from './arguments.ts';
import { jsonOption, jsonUsage, prepareJson, printed, putJson } from './json-output.ts';
import { print } from './print.ts';

const usage = `npm run export -- RUN [--format ${exportFormats.join('|')}] ... ${jsonUsage}`;

function formatsOf(words: readonly string[]): ExportFormat[] {
  return words
    .flatMap(word => word.split(','))
    .map(word => {
      const format = exportFormats.find(known => known === word);
      if (format !== undefined) return format;
      throw unknownName('usage', `--format ${word}: there is no such format`, word, exportFormats);
    });
}

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(
    argv,
    { format: { type: 'string', multiple: true }, ...jsonOption },
    usage,
  );
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    throw new CoexistError('usage', 'export needs the folder of one run', { hint: usage });
  prepareJson(values.json);
  const formats = formatsOf(values.format ?? ['csv']);
  const { kind, folder: found } = await kindOfFolder(path);
  const folder = kind.records(found);
  const onTrial = (name: string, number: number, of: number) => print(`[${number}/${of}] ${name}\n`, process.stderr);
  const out = await exportRun(folder, await summarise(folder, await loadMetrics()), { formats, onTrial });
  giveBack(out);
  const written = putJson(values.json, { path: out, formats });
  if (values.json !== printed) process.stdout.write(`export:  ${out}\n${written}`);
  return exitStatus.done;
}
