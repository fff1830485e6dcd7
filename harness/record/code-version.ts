/** Version of Coexist's code. Trials from two machines are comparable only if both run the same code. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/system/paths.ts';

/**
 * Patterns of all source files that a trial and its record depend on. Built files are left out, because they are made
 * from these.
 */
const sources = [
  'package-lock.json',
  '{core,client,server,shaper,harness}/**/*.{ts,mjs,c,h,rs,go,mod,sum,html,css,py,json,toml,lock,mk}',
  'shaper/**/Makefile',
];
const made = /(^|\/)(build|target|node_modules)\//;

/** Returns the version of the package and a hash of the sources: "1.0.0/0a1b2c3d4e5f". */
export function codeVersion(root = projectRoot): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const digest = createHash('sha256');
  for (const path of globSync(sources, { cwd: root })
    .filter(name => !made.test(name))
    .sort())
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return `${version}/${digest.digest('hex').slice(0, 12)}`;
}
