/**
 * Phrases that comments and subjects of commits do not use, because they have to be read twice (CONTRIBUTING.md,
 * "Rules"). Old ones are counted for each file in plain-words.json, whose counts only get smaller:
 *
 *   COUNT_PHRASES=1 node --test tests/unit/wording.test.ts   counts anew, and refuses a count that grows; after a merge
 *                                                            of old branches remove plain-words.json before
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../core/system/paths.ts';

const phrases = /\b(?:takes down|is told|beside it|so many|nobody|where there is none)\b/gi;
const firstWords = /\/\*\*[\s*]*(?:What|Of|Whether)\b/g;
/** A comment of several lines, of one line, or the rest of a line behind code. */
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;
const counted = join(projectRoot, 'tests/unit/plain-words.json');
/** Commits after it have short subjects. */
const lastOldCommit = '2ecd0858f4c3d79789018856a7e8d4403c54db39';
const longestSubject = 72;

function hits(source: string): string[] {
  return [...source.matchAll(comments)].flatMap(([comment]) => {
    const text = comment.replace(/\n[ \t]*(?:\*|\/\/)?[ \t]*/g, ' ');
    return [...text.matchAll(phrases), ...comment.matchAll(firstWords)].map(([hit]) => hit);
  });
}

const folders = '{client,core,harness,reports,server,shaper,tests}';
const files = globSync(`${folders}/**/*.{ts,mjs,c,h,rs,go}`, {
  cwd: projectRoot,
  exclude: path => /(^|\/)(?:node_modules|build|target)(\/|$)/.test(path),
}).sort();
const found = new Map(
  files
    .filter(file => file !== 'tests/unit/wording.test.ts')
    .map(file => [file, hits(readFileSync(join(projectRoot, file), 'utf8'))] as const)
    .filter(([, list]) => list.length > 0),
);
const counts = Object.fromEntries([...found].map(([file, list]) => [file, list.length]));
const isCounting = process.env['COUNT_PHRASES'] === '1';
const recorded =
  isCounting && !existsSync(counted) ? counts : (JSON.parse(readFileSync(counted, 'utf8')) as Record<string, number>);

test('phrases are found in comments, also over two lines, and nowhere else', () => {
  const source = '/** What it does. */\nconst nobody = 1; // is\n// told\n/* Takes\n * down */';
  assert.deepEqual(hits(source), ['/** What', 'is told', 'Takes down']);
  assert.deepEqual(hits("const text = 'so many'; /** Returns what is there. */"), []);
});

test('no comment gains a phrase that has to be read twice', () => {
  const more = [...found].filter(([file, list]) => list.length > (recorded[file] ?? 0));
  assert.deepEqual(
    more.map(([file, list]) => `${file}: ${list.length}, not ${recorded[file] ?? 0}: ${list.join(', ')}`),
    [],
    'write it plainly: "records" for "takes down", a noun first',
  );
  if (isCounting) writeFileSync(counted, `${JSON.stringify(counts, null, 2)}\n`);
});

const git = (...argv: string[]) => spawnSync('git', argv, { cwd: projectRoot, encoding: 'utf8', timeout: 20_000 });
const hasHistory = git('cat-file', '-e', lastOldCommit).status === 0;

test('subjects of commits are short', { skip: hasHistory ? false : 'the history of git is not here' }, () => {
  const { status, stdout } = git('log', '--no-merges', '--format=%h %s', `${lastOldCommit}..HEAD`);
  assert.equal(status, 0);
  assert.deepEqual(
    stdout.split('\n').filter(line => line.slice(line.indexOf(' ') + 1).length > longestSubject),
    [],
  );
});
