/** Compares the environment variables that the code reads with those in docs/configuration.md. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';

/** Variables that one program of Coexist sets for another, and the program that sets them. */
const inside: Readonly<Record<string, string>> = {
  COEXIST_CONTAINED: 'shaper/topology/ssh/launch.ts, for the agent on a machine of a lab',
  COEXIST_FOLDER: 'shaper/topology/ssh/launch.ts, for the agent on a machine of a lab',
  COEXIST_DIRECTORY: 'harness/setup/package-bin.mjs, for the commands of an installed package',
  COEXIST_PARENT: 'harness/setup/run.mjs, for the command that it starts',
};

const list = 'harness/documents/configuration.ts';

function usedVariables(): string[] {
  const files = globSync('{core,client,harness,reports,server,shaper}/**/*.{ts,mjs,py,rs,sh}', { cwd: projectRoot });
  const texts = files.filter(path => path !== list).map(path => readFileSync(join(projectRoot, path), 'utf8'));
  return [...new Set(texts.flatMap(text => text.match(/\bCOEXIST_[A-Z]+(?:_[A-Z]+)*\b/g) ?? []))].sort();
}

function listedVariables(): string[] {
  const [, section] = readFileSync(join(projectRoot, 'docs/configuration.md'), 'utf8').split(
    '\n## Environment variables\n',
  );
  return [...section!.matchAll(/^- `(COEXIST_[A-Z_]+)`: /gm)].map(([, name]) => name!).sort();
}

test('every environment variable that a user may set is listed, and no other', () => {
  const used = usedVariables();
  assert.deepEqual(
    listedVariables(),
    used.filter(name => !Object.hasOwn(inside, name)),
  );
  assert.deepEqual(
    Object.keys(inside).filter(name => !used.includes(name)),
    [],
    'exceptions that nothing uses',
  );
});
