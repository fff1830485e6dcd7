/** Files that tests of the npm package give to it: a study of a user, and the packages that set-up would install. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../core/system/paths.ts';

const { lockHash } = (await import(new URL('../../../harness/setup/setup.mjs', import.meta.url).href)) as {
  lockHash(text: string): string;
};

export const study = `import { defineExperiment } from 'coexist';

export default defineExperiment({
  title: 'A study of my own', question: 'Does it run from here?', source: 'own',
  link: { rate: '10mbit', queue: { limit: '100ms' } },
  service: { id: 'live-clip' },
  conditions: { alone: { title: 'Alone' } },
});
`;

/** Lends the packages of the checkout to a copy of it, so that set-up has nothing to install there. */
export function lendPackages(home: string): void {
  symlinkSync(join(projectRoot, 'node_modules'), join(home, 'node_modules'));
  mkdirSync(join(home, '.cache'), { recursive: true });
  writeFileSync(
    join(home, '.cache/setup.json'),
    JSON.stringify({ packages: lockHash(readFileSync(join(home, 'package-lock.json'), 'utf8')) }),
  );
}
