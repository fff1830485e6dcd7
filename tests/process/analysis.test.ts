/** docs/analysis: the notebook and the R script draw their figures from the data of the site, and show the same values. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { projectRoot } from '../../core/system/paths.ts';
import { command } from '../../harness/cli/site.ts';

const python = process.env['COEXIST_PYTHON'] || 'python3';
const longestMs = 120_000;

function ran(program: string, words: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    timeout: longestMs,
    env: { ...process.env, ...env },
  });
  return { ok: status === 0, stdout, told: error?.message ?? stderr };
}

const without = (program: string, words: readonly string[], what: string) =>
  ran(program, words).ok ? false : `${what} is not installed`;
const noPython = without(python, ['-c', 'import matplotlib'], `matplotlib for ${python}`);
const noR = without('Rscript', ['--version'], 'R');

/** Figures, and labels that each has. */
const figures = { 'bitrate-over-round-trip.svg': 'base round-trip time (ms)', 'flagship.svg': 'Frame rate (fps)' };

describe('analysis of the published values', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-analysis-'));
  const data = join(scratch, 'site/data');
  after(() => rmSync(scratch, { recursive: true, force: true }));
  const folderOf = (name: string) => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    return folder;
  };

  const shows = (folder: string, stdout: string, { hasText }: { hasText: boolean }) => {
    for (const [name, label] of Object.entries(figures)) {
      const svg = readFileSync(join(folder, name), 'utf8');
      assert.match(svg, /<svg /);
      if (hasText) assert.ok(svg.includes(label), `${name}: ${label}`);
    }
    const page = (name: string) => readFileSync(join(projectRoot, `docs/results/${name}.md`), 'utf8');
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, 3 * 3 + 2 * 4, stdout);
    for (const line of lines) {
      const [, value, low, high, unit] = /: ([\d.]+) \[([\d.]+), ([\d.]+)\] (\S+)$/.exec(line)!;
      const short = (number: string) => (unit === 'fps' ? Number(number).toFixed(1) : number);
      const cell = `${short(value!)} ${unit}<br>\\[${short(low!)}, ${short(high!)}\\]`;
      assert.ok(page(/ ms: /.test(line) ? 'shapers' : 'bbr-flood').includes(cell), line);
    }
  };

  test('the site has the data', async () => {
    assert.equal(await command(['--out', join(scratch, 'site')]), 0);
  });

  test('the cells of the notebook run one after the other', { skip: noPython }, () => {
    const { cells } = JSON.parse(readFileSync(join(projectRoot, 'docs/analysis/results.ipynb'), 'utf8')) as {
      cells: { cell_type: string; source: string[] }[];
    };
    const program = join(scratch, 'notebook.py');
    writeFileSync(
      program,
      cells.flatMap(({ cell_type: kind, source }) => (kind === 'code' ? [source.join('')] : [])).join('\n'),
    );
    const folder = folderOf('python');
    const { ok, stdout, told } = ran(python, [program], {
      ...{ RESULTS_DATA: data, RESULTS_FIGURES: folder, MPLBACKEND: 'Agg', MPLCONFIGDIR: folder },
    });
    assert.ok(ok, told);
    shows(folder, stdout, { hasText: true });
  });

  test('the R script runs', { skip: noR }, () => {
    const folder = folderOf('r');
    const { ok, stdout, told } = ran('Rscript', [
      ...[join(projectRoot, 'docs/analysis/results.R'), join(data, 'values.csv'), folder],
    ]);
    assert.ok(ok, told);
    shows(folder, stdout, { hasText: false }); // R draws letters as shapes
  });
});
