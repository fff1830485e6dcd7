import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { run } from '../../../../../core/system/command.ts';
import { bundle, bundleProgram } from '../../../../../shaper/topology/ssh/bundle.ts';
import { agentProgram } from '../../../../../shaper/topology/ssh/launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'coexist-bundle-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): URL {
  const place = mkdtempSync(join(folder, 'x-'));
  mkdirSync(join(place, 'sub'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  return pathToFileURL(join(place, 'main.ts'));
}

test('files with the same names inside, of which one is imported twice, are one script', async () => {
  const main = write({
    'main.ts':
      "import { basename } from 'node:path';\nimport { twice } from './sub/a.ts';\nimport {\n  count,\n" +
      "} from './sub/b.ts';\nimport type { T } from './sub/b.ts';\nconst hidden = 'main';\n" +
      "export async function go(word: T): Promise<void> {\n  console.log(basename('/x/y'), twice(), count(), hidden, " +
      'word);\n}\n',
    'sub/a.ts':
      "import { count } from './b.ts';\nconst hidden = 2;\nexport const twice = (): number => hidden * count();\n",
    'sub/b.ts': 'export type T = string;\nlet calls = 0;\nexport function count(): number {\n  return ++calls;\n}\n',
  });
  const { stdout } = await run([process.execPath, '--input-type=module', '-'], { input: bundle(main, 'go', '"word"') });
  assert.equal(stdout, 'y 2 2 main word\n');
});

test('what it cannot hold is refused with its name', () => {
  for (const [text, reason] of [
    ["import { z } from 'zod';", /cannot hold the package zod/],
    ["import fs from 'node:fs';", /cannot hold "import fs/],
    ["import { a as b } from 'node:fs';", /cannot hold the name "a as b"/],
    ['export default 1;', /cannot hold "export default/],
    ['const here = import.meta.url;', /cannot hold "import\.meta"/],
  ] as const)
    assert.throws(() => bundle(write({ 'main.ts': `${text}\nexport const go = 1;\n` }), 'go', ''), reason);
});

test('the agent is a script of its own, short and always the same', () => {
  const { script, sha256 } = agentProgram();
  assert.ok(script.length < 100_000, `${script.length} bytes`);
  assert.match(sha256, /^[0-9a-f]{64}$/);
  for (const [, from] of script.toString().matchAll(/^import .* from '([^']+)';$/gm)) assert.match(from!, /^node:/);
});

test('a program waits where it will, and exports no value', async () => {
  const text = (main: string) => bundleProgram(write({ 'main.ts': main, 'sub/a.ts': 'export const word = "a";\n' }));
  const waits =
    "import { word } from './sub/a.ts';\nexport type T = string;\nconst said: T = await Promise.resolve(word);\nconsole.log(said);\n";
  const { stdout } = await run([process.execPath, '--input-type=module', '-'], { input: text(waits) });
  assert.equal(stdout, 'a\n');
  assert.throws(() => text('export const here = 1;\n'), /a program that exports here/);
});

test('the programs that run on other machines can be sent', () => {
  for (const file of [
    'trial/browser/installed-main.ts',
    'trial/browser/there-main.ts',
    'services/iperf/sized-receiver.ts',
    'services/iperf/sized-sender.ts',
    'services/udp-flow/receiver.ts',
    'services/udp-flow/sender.ts',
  ])
    assert.match(
      bundleProgram(new URL(`../../../../../harness/${file}`, import.meta.url)),
      /^import \* as node0 from 'node:/,
      file,
    );
});
