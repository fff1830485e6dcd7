/**
 * Which test files share a process. To start Node and to load the modules costs more than what most files test. Files
 * that only compute share one, up to 24 of them, one after the other; a file has a process of its own where it could
 * disturb others: it has hooks at its top, which would hold for all, starts programs, or changes what belongs to the
 * process.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectRoot as root } from '../../core/system/paths.ts';

const filesTogether = 24;
const folders = /^tests\/(unit|contract|golden)\//;
const startsPrograms = /^import (?!type\b).*node:child_process\b/m;
const disturbs = [
  /^(?:await )?(?:before|after|beforeEach|afterEach)\(/m,
  /\bsharedStart\b/,
  /^import (?!type\b).*node:(?:worker_threads|inspector|cluster|v8|vm)\b/m,
  /\bprocess\.(?:env\b.*=[^=]|chdir|exit|exitCode|on|once|kill|umask|stdout\.write =|title|argv)/,
  /\bdelete process\b/,
  /^import .*\bmock\b.*node:test/m,
  /\bglobalThis,|\bglobalThis\.\w+ = /,
];

/** With whom a file shares its process. `helped`: with others that start programs by what they import. */
export type Company = 'none' | 'helped' | 'pure';

/** The text of a test file and of what lies in tests/ that it imports; its own is the first. */
function textsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => normalize(join(dirname(file), path!)));
  return [
    text,
    ...imported
      .filter(path => path.startsWith('tests/') && existsSync(join(root, path)))
      .flatMap(path => textsOf(path, seen)),
  ];
}

/** `none` where a file might disturb others in one process, or be disturbed. */
export function companyOf(file: string): Company {
  if (!folders.test(file)) return 'none';
  const texts = textsOf(file);
  if (startsPrograms.test(texts[0]!) || texts.some(text => disturbs.some(pattern => pattern.test(text)))) return 'none';
  return texts.some(text => startsPrograms.test(text)) ? 'helped' : 'pure';
}

/**
 * The files in the groups in which they run: alone, or many of one part in one process. Files that start programs are
 * apart from those that do not: a program may look at any source, so they run again after any change (passed.ts).
 */
export function batchesOf(files: readonly string[], company: (file: string) => Company = companyOf): string[][] {
  const by = Map.groupBy(files, company);
  const shared = (['helped', 'pure'] as const).flatMap(one => {
    const own = by.get(one) ?? [];
    const groups = Math.ceil(own.length / filesTogether);
    // one after the other into different groups: neighbours take about as long
    return Array.from({ length: groups }, (_, k) => own.filter((_, i) => i % groups === k));
  });
  return [...(by.get('none') ?? []).map(file => [file]), ...shared];
}
