import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { fullRun, parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();
const compressors = { GZIP: (input: Uint8Array) => new Uint8Array(gunzipSync(input)) };
const full = await fullRun(folder);
const links = new Map(
  [...parsePage(full.page).querySelectorAll('#downloads a')].map(link => [
    link.getAttribute('download')!,
    link.getAttribute('href')!,
  ]),
);

/** Content that a browser would save, by the rules of data: addresses. */
async function saved(name: string): Promise<ArrayBuffer> {
  return (await fetch(links.get(name)!)).arrayBuffer();
}

test('the files are in the page, and are the tables', async () => {
  assert.deepEqual(
    [...links.keys()],
    [
      'study-metrics.csv',
      'study-metrics.parquet',
      'study-binned.csv',
      'study-binned.parquet',
      'study-data-dictionary.md',
    ],
  );
  const lines = Buffer.from(await saved('study-metrics.csv'))
    .toString()
    .trimEnd()
    .split('\n');
  assert.equal(lines.length, 1 + full.summary.trials.length);
  const rows = (await parquetReadObjects({ file: await saved('study-metrics.parquet'), compressors })) as Record<
    string,
    unknown
  >[];
  assert.deepEqual(
    rows.map(row => [row['trial'], row['verdict'], row['stall-time']]),
    full.summary.trials.map(trial => [trial.name, trial.verdict.status, trial.metrics?.['stall-time'] ?? null]),
  );
  assert.equal(lines[0], Object.keys(rows[0]!).join(','));
});

test('the series are there in bins, with a dictionary of both tables', async () => {
  const csv = Buffer.from(await saved('study-binned.csv'))
    .toString()
    .trimEnd()
    .split('\n');
  const rows = (await parquetReadObjects({ file: await saved('study-binned.parquet'), compressors })) as Record<
    string,
    unknown
  >[];
  assert.equal(rows.length, csv.length - 1);
  assert.equal(rows.length, 6 * 26); // every try, in bins of half a second
  const dictionary = Buffer.from(await saved('study-data-dictionary.md')).toString();
  for (const name of [...csv[0]!.split(','), 'stall-time']) assert.ok(dictionary.includes(`| ${name} |`), name);
});

test('words of others survive the address', async () => {
  const title = 'A "quoted", %41 \u00e9\ud83d\ude00 <b> & #x\nline';
  const { page } = await renderRun(folder, 'words', planOf({ conditions: { a: { title } }, run: { window: '10s' } }), [
    {},
  ]);
  const href = parsePage(page).querySelector('#downloads a')!.getAttribute('href')!;
  assert.ok((await (await fetch(href)).text()).includes(`"${title.replaceAll('"', '""')}"`));
});
