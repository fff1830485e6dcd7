/** Tests that all readers of user files accept files that Windows wrote. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readJsonl } from '../../../../core/system/jsonl.ts';
import { readRegularFile } from '../../../../core/system/regular-file.ts';
import { decodeText } from '../../../../core/system/text-encoding.ts';
import { loadStudy } from '../../../../harness/definition/load.ts';
import { readJson } from '../../../../harness/record/json-file.ts';
import { readPacketTable } from '../../../../harness/record/packet-table.ts';
import { resolveContestants } from '../../../../harness/studies/pairs/contestant.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { readHostsFile } from '../../../../shaper/topology/ssh/hosts-file.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const folder = temporaryFolder();
const written = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const mark = '\ufeff';
const wide = (text: string) => Buffer.from(`${mark}${text}`, 'utf16le');

test('a byte order mark is left out, at the start alone, and tells UTF-16', () => {
  assert.equal(decodeText(Buffer.from(`${mark}a${mark}`), 'x'), `a${mark}`);
  assert.equal(decodeText(wide('z\u00fc'), 'x'), 'z\u00fc');
  assert.equal(decodeText(wide('z\u00fc').swap16(), 'x'), 'z\u00fc');
  assert.equal(decodeText(Buffer.from(mark), 'x'), '');
  assert.equal(decodeText(Buffer.alloc(0), 'x'), '');
});

test('bytes that are no text are refused with their line, where a name would become another one', () => {
  const path = written('latin1.json', Buffer.from('{\n "title": "Z\u00fcrich" }', 'latin1'));
  const refused = {
    code: 'bad-run-folder',
    message: /latin1\.json, line 2 is not text in UTF-8$/,
    hint: 'save it in UTF-8',
  };
  assert.throws(() => readRegularFile(path, 100), refused);
});

test('a study, hosts, a contestant, files of a run folder', async () => {
  const study = '{ "title": "t" }';
  for (const content of [`${mark}${study}`, wide(study)])
    assert.deepEqual((await loadStudy(written('study.json', content))).definition, { title: 't' });
  const machine = (name: string, ...devices: string[]) => ({
    name,
    ssh: `root@${name}`,
    roles: [name],
    devices: devices.map((address, k) => ({ device: `eth${k}`, address })),
  });
  const machines = [
    machine('left', '10.77.1.2'),
    machine('right', '10.77.2.2'),
    machine('router', '10.77.1.1', '10.77.2.1'),
  ];
  const hosts = written('hosts.json', `${mark}${JSON.stringify({ machines })}`);
  assert.deepEqual(
    readHostsFile(hosts).map(({ name }) => name),
    ['left', 'right', 'router'],
  );
  const own = written('own.json', `${mark}{ "name": "own", "service": { "id": "iperf" } }`);
  const { services } = await loadRegistries();
  assert.deepEqual(
    resolveContestants([own], services).map(({ name }) => name),
    ['own'],
  );
  assert.deepEqual(readJson(written('any.json', `${mark}{"a":1}`)), { a: 1 });
});

test('series, of which a mark takes the first line only', async () => {
  assert.deepEqual(await readJsonl(written('a.jsonl', `${mark}{"a":1}\n{"a":2}\n`)), [{ a: 1 }, { a: 2 }]);
  const packet = '{"kind":"media","sequence":1,"sentMs":1,"bytes":9}\n';
  assert.equal((await readPacketTable(written('packets.jsonl', `${mark}${packet}${packet}`))).length, 2);
  await assert.rejects(readJsonl(written('b.jsonl', `{"a":1}\n${mark}{"a":2}\n`)), { message: /line 2 is not JSON/ });
});
