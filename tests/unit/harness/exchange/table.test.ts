import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvChunks, csvText } from '../../../../harness/exchange/csv.ts';
import { rowCount, tableOf } from '../../../../harness/exchange/table.ts';

const number = { type: 'number' as const, unit: 'ms' };

test('records become columns: those that are described first, inner objects behind a dot', () => {
  const table = tableOf(
    [
      { timeMs: 1, b: { y: true } },
      { timeMs: 2, a: 'x', b: null, list: [1, 'z'] },
    ],
    { timeMs: number, gone: number },
  );
  assert.deepEqual(table, [
    { name: 'timeMs', unit: 'ms', type: 'number', values: [1, 2] },
    { name: 'gone', unit: 'ms', type: 'number', values: [null, null] },
    { name: 'a', unit: '', type: 'text', values: [null, 'x'] },
    { name: 'b.y', unit: '', type: 'boolean', values: [true, null] },
    { name: 'list', unit: '', type: 'text', values: [null, '[1,"z"]'] },
  ]);
  assert.equal(rowCount(table), 2);
});

test('a column of several kinds is text', () => {
  const [column] = tableOf([{ a: 1 }, { a: 'x' }, { a: true }, { a: null }], {});
  assert.deepEqual([column!.type, column!.values], ['text', ['1', 'x', 'true', null]]);
});

test('CSV quotes what needs it, and leaves empty what has no value', () => {
  const table = tableOf(
    [
      { a: 1.5, 'b,c': 'x"y' },
      { a: null, 'b,c': '' },
      { a: -2e-7, 'b,c': 'line\nbreak' },
    ],
    { a: number },
  );
  assert.equal(csvText(table), 'a,"b,c"\n1.5,"x""y"\n,""\n-2e-7,"line\nbreak"\n');
  assert.equal(csvText([]), '\n');
});

test('a long table comes in pieces', () => {
  const table = tableOf(
    Array.from({ length: 20_001 }, (_, i) => ({ a: i })),
    { a: number },
  );
  const chunks = [...csvChunks(table)];
  assert.equal(chunks.length, 3);
  assert.equal(chunks.join('').split('\n').length, 20_003);
  assert.equal(chunks[2], '20000\n');
});

test('a text that a spreadsheet would run stays a text, a number stays a number', () => {
  const texts = ['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '  =1', '\t=1', '-1', '-1.5e3', 'a=b'];
  const [, ...lines] = csvText(
    tableOf(
      texts.map(a => ({ a })),
      {},
    ),
  )
    .trimEnd()
    .split('\n');
  assert.deepEqual(lines, ["'=1+1", "'+cmd|x", "'-2+3", "'@SUM(A1)", "'  =1", "'\t=1", '-1', '-1.5e3', 'a=b']);
  assert.equal(
    csvText([{ name: '=HYPERLINK("x")', unit: '', type: 'number', values: [-1] }]),
    '"\'=HYPERLINK(""x"")"\n-1\n',
  );
});
