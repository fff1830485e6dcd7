/**
 * Which test files share a process. To start Node and to load the modules costs more than what most files test. Files
 * that only compute share one, up to 24 of them; a file has a process of its own where it could disturb others: it has
 * hooks at its top, which would hold for all, starts programs, opens sockets, or changes what belongs to the process.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectRoot as root } from '../../core/system/paths.ts';

const filesTogether = 24;
const folders = /^tests\/(unit|contract|golden)\//;
const disturbs = [
  /^(?:await )?(?:before|after|beforeEach|afterEach)\(/m,
  /\bsharedStart\b/,
  /node:(?:child_process|net|http|https|dgram|worker_threads|inspector|cluster|v8|vm)\b/,
  /\bprocess\.(?:env\b.*=[^=]|chdir|exit|exitCode|on|once|kill|umask|stdout\.write =|title|argv)/,
  /\bdelete process\b/,
  /\bmock\b/,
  /\bglobalThis\b/,
  /\bsetTimeout\b|\bsetInterval\b/,
];

/** The text of a test file and of what lies in tests/ that it imports. */
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

/** False where it might disturb others in one process, or be disturbed. */
export function canShare(file: string): boolean {
  return folders.test(file) && textsOf(file).every(text => disturbs.every(pattern => !pattern.test(text)));
}

/** The files in the groups in which they run: alone, or many of one part in one process. */
export function batchesOf(files: readonly string[], canShareOf: (file: string) => boolean = canShare): string[][] {
  const sharing = files.filter(canShareOf);
  const groups = Math.ceil(sharing.length / filesTogether);
  // one after the other into different groups: neighbours take about as long
  const shared = Array.from({ length: groups }, (_, k) => sharing.filter((_, i) => i % groups === k));
  return [...files.filter(file => !sharing.includes(file)).map(file => [file]), ...shared];
}
