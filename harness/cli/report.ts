/**
 * `npm run report -- DIR`: makes the summary and the report of a study of any kind again from its record. With two
 * folders it compares the two runs.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CoexistError, exitStatus, writeError } from '../../core/errors.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { counted } from '../../core/text/counted.ts';
import { renderComparison } from '../../reports/comparison.ts';
import { byHandIn, withByHand } from '../../reports/results/by-hand.ts';
import { type Figure, figuresOf } from '../../reports/results/figures.ts';
import { figuresIn, isResultsPage } from '../../reports/results/page.ts';
import { type ComparedRun, compareRuns } from '../analysis/compare/compare-runs.ts';
import { comparedRunOf } from '../studies/compared-run.ts';
import { kindOfFolder } from '../studies/kinds.ts';
import type { StudyKind } from '../studies/study.ts';
import { parseArguments } from './arguments.ts';
import { jsonOption, jsonUsage, prepareJson, printed, putJson } from './json-output.ts';
import { print } from './print.ts';

const usage = `npm run report -- DIR [--figures FOLDER] [--page FILE] ${jsonUsage}, or DIR DIR2 [--out FILE] ${jsonUsage}`;

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(
    argv,
    { ...jsonOption, out: { type: 'string' }, figures: { type: 'string' }, page: { type: 'string' } },
    usage,
  );
  const [path, second] = positionals;
  if (path === undefined || positionals.length > 2)
    throw new CoexistError('usage', 'report needs the folder of a run, or of two to compare', { hint: usage });
  if (second !== undefined && (values.figures ?? values.page) !== undefined)
    throw new CoexistError('usage', '--figures and --page are for the report of one run', { hint: usage });
  prepareJson(values.json);
  if (second !== undefined) return compare(path, second, values.out, values.json);
  if (values.out !== undefined)
    throw new CoexistError(
      'usage',
      '--out is for the comparison of two runs; the report of one is written into its folder',
      { hint: usage },
    );
  if (values.page !== undefined) refuseOtherFile(values.page);
  if (values.figures !== undefined && existsSync(values.figures) && !statSync(values.figures).isDirectory())
    throw new CoexistError('usage', `--figures ${values.figures} is a file, and figures go into a folder`);
  const { kind, folder } = await kindOfFolder(path);
  const { summary, summaryPath, reportPath } = await kind.finishAgain(folder);
  giveBack(summaryPath);
  giveBack(reportPath);
  const written = [
    ...(values.figures === undefined ? [] : await writeFigures(reportPath, values.figures)),
    ...(values.page === undefined ? [] : await writePage(kind, folder, reportPath, values.page)),
  ];
  const file = putJson(values.json, summary);
  if (values.json === printed) return exitStatus.done;
  return print(`summary: ${summaryPath}\nreport:  ${reportPath}\n${written.map(line => `${line}\n`).join('')}${file}`);
}

/** Throws `usage` if there is something else than an earlier page, which a page would overwrite. */
function refuseOtherFile(path: string): void {
  if (!existsSync(path)) return;
  const text = statSync(path).isFile() ? readFileSync(path, 'utf8') : null;
  if (text === '' || (text !== null && isResultsPage(text))) return;
  throw new CoexistError('usage', `--page ${path} is not a page that this command wrote`, {
    hint: 'name a new file, or an earlier page',
  });
}

/** Writes a file. Throws an error that names the path if the file cannot be written. */
function write(path: string, text: string): void {
  try {
    makeFolder(dirname(resolve(path)));
    writeFileSync(path, text);
  } catch (error) {
    throw error instanceof CoexistError ? error : writeError(error, path);
  }
  giveBack(path);
}

/** Writes every figure of the report as an SVG file. Returns lines on the written files. */
async function writeFigures(reportPath: string, folder: string): Promise<string[]> {
  const figures = await figuresOf(readFileSync(reportPath, 'utf8'));
  for (const { name, svg } of figures) write(join(folder, `${name}.svg`), svg);
  return [`figures: ${figures.length} in ${resolve(folder)}`];
}

/**
 * Writes the result as a Markdown page, and its figures into a folder with the name of the page. Returns lines on the
 * written files.
 */
async function writePage(kind: StudyKind, runPath: string, reportPath: string, path: string): Promise<string[]> {
  const page = readFileSync(reportPath, 'utf8');
  const folder = path.replace(/\.md$/, '') === path ? `${path}-figures` : path.replace(/\.md$/, '');
  const addressOf = ({ name }: Figure) => `${basename(folder)}/${name}.svg`;
  const earlier = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { text, figures } = await kind.page(runPath, page, await figuresOf(page), addressOf);
  for (const { name, svg } of figures) write(join(folder, `${name}.svg`), svg);
  write(path, withByHand(text, byHandIn(earlier)));
  // removes the figures of an earlier page that the new page does not use
  const now = new Set(figures.map(addressOf));
  for (const address of figuresIn(earlier)) {
    if (!now.has(address) && dirname(address) === basename(folder))
      rmSync(join(dirname(path), address), { force: true });
  }
  return [`page:    ${resolve(path)}, with ${counted(figures.length, 'figure')}`];
}

/** Reads a run for a comparison. */
async function readRun(path: string, name: string): Promise<{ kind: StudyKind; run: ComparedRun }> {
  const { kind, folder } = await kindOfFolder(path);
  return { kind, run: await comparedRunOf(kind, folder, name) };
}

/**
 * Returns names for two run folders. They include the names of the parent folders if the folders have the same name.
 */
function namesOf(a: string, b: string): [string, string] {
  const named = (path: string) => basename(resolve(path));
  const longer = (path: string) => `${named(dirname(resolve(path)))}-${named(path)}`;
  return named(a) === named(b) ? [longer(a), longer(b)] : [named(a), named(b)];
}

async function compare(
  pathA: string,
  pathB: string,
  out: string | undefined,
  json: string | undefined,
): Promise<number> {
  if (resolve(pathA) === resolve(pathB))
    throw new CoexistError('usage', `${pathA} is given twice: a run is not compared with itself`, { hint: usage });
  const [nameA, nameB] = namesOf(pathA, pathB);
  const [a, b] = [await readRun(pathA, nameA), await readRun(pathB, nameB)];
  if (a.kind !== b.kind)
    throw new CoexistError('usage', `${pathA} is a run of kind "${a.kind.id}", ${pathB} one of kind "${b.kind.id}"`, {
      hint: 'give two runs of one study',
    });
  const comparison = compareRuns(a.run, b.run);
  const page = await renderComparison(comparison);
  const path = out ?? join(dirname(resolve(pathB)), `compare-${nameA}-${nameB}.html`);
  if (out !== undefined) write(out, page);
  else {
    // the user did not choose this path: a symbolic link there may have come with the folders and is not followed
    writeWhole(path, page);
    giveBack(path);
  }
  const { changes, conditions, alone } = comparison;
  const file = putJson(json, { a: nameA, b: nameB, changes, alone, conditions });
  return json === printed ? exitStatus.done : print(`comparison: ${path}\n${file}`);
}
