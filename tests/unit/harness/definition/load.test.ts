import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadStudy, studyNames } from '../../../../harness/definition/load.ts';
import { temporaryFolder } from '../support/folder.ts';
import { definition } from '../support/plan.ts';

const folder = temporaryFolder();

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('a shipped study is found by its name', async () => {
  const { study, definition: shipped } = await loadStudy('bbr-flood');
  assert.equal(study, 'bbr-flood');
  assert.equal(shipped.flood!.id, 'iperf');
  assert.ok((await studyNames()).includes('bbr-flood'));
});

test("a file of one's own is TypeScript, JavaScript or JSON", async () => {
  const text = `export default ${JSON.stringify(definition)}`;
  for (const [name, content] of [
    ['mine.ts', `${text} as { title: string };`],
    ['mine2.mjs', text],
    ['mine3.json', JSON.stringify(definition)],
  ] as const) {
    const { study, definition: loaded, folder: besides } = await loadStudy(write(name, content));
    assert.equal(besides, name.endsWith('.json') ? folder : null, 'data names files of its own folder only');
    assert.equal(study, name.replace(/\.\w+$/, ''));
    assert.deepEqual(loaded, definition);
  }
});

test('a name that is not known is refused with the one that was meant', async () => {
  await assert.rejects(loadStudy('bbr-flod'), {
    code: 'usage',
    message: /there is no study named "bbr-flod"; did you mean "bbr-flood"\?/,
  });
  await assert.rejects(
    loadStudy('zzzzzz'),
    (error: Error & { hint: string }) =>
      error.message === 'there is no study named "zzzzzz"' && /known: .*bbr-flood/.test(error.hint),
  );
});

test('a file that is missing, broken or no definition is said to be so', async () => {
  await assert.rejects(loadStudy(join(folder, 'none.ts')), { code: 'usage', message: /there is no file/ });
  const refused = (path: string, message: RegExp) =>
    assert.rejects(loadStudy(path), { code: 'bad-definition', message });
  await refused(write('broken.json', '{"title": '), /broken\.json could not be loaded: /);
  await refused(write('broken.ts', 'export default {{'), /broken\.ts could not be loaded: /);
  await refused(write('line.ts', 'export default {\n  a: 1,,\n};'), /line\.ts could not be loaded: line 2: /);
  await refused(
    write('imports.ts', `import ${JSON.stringify(join(folder, 'line.ts'))};`),
    /imports\.ts could not be loaded: .*line\.ts, line 2: /,
  );
  await refused(write('throws.ts', 'throw new Error("boom\\nsecond line");'), /throws\.ts could not be loaded: boom$/);
  await refused(write('nothing.ts', 'export const title = 1;'), /nothing\.ts has no definition/);
  for (const [i, json] of ['[]', '5', 'null', '"text"'].entries())
    await refused(write(`other${i}.json`, json), /has no definition/);
});

test('a comma at the end of a JSON object or list has its place and the mend', async () => {
  for (const [name, json, place] of [
    ['comma1.json', '{\n  "title": "a, }",\n}', 'line 2, column 18'],
    ['comma2.json', '{"list": [1, 2, ]}', 'line 1, column 15'],
  ] as const)
    await assert.rejects(loadStudy(write(name, json)), (error: Error & { hint: string }) => {
      assert.match(error.message, new RegExp(`${name} could not be loaded: ${place}: `));
      assert.match(error.hint, /^JSON has no comma before \} or \]/);
      return true;
    });
  await assert.rejects(loadStudy(write('comma3.json', '{"a": ",}" "b": 1}')), {
    message: /could not be loaded: .*line 1 column 12/,
    hint: undefined,
  });
});

test('a definition outside of a package is told to do without the import', async () => {
  const path = write(
    'outside.ts',
    "import { defineExperiment } from 'coexist';\nexport default defineExperiment({} as never);",
  );
  await assert.rejects(loadStudy(path), {
    message: /Cannot find package 'coexist'/,
    hint: /needs no import: .*"export default \{ \.\.\. \}"/,
  });
});
