import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { parquetBytes } from '../../../../harness/exchange/parquet.ts';
import { tableOf } from '../../../../harness/exchange/table.ts';

const compressors = { GZIP: (input: Uint8Array) => new Uint8Array(gunzipSync(input)) };
const number = { type: 'number' as const, unit: 'ms' };

test('another reader finds the same rows, with nulls and types', async () => {
  const rows = [
    { timeMs: 1.25, name: 'a', key: true },
    { timeMs: null, name: null, key: false },
    { timeMs: 1e15, name: '\u00e9"', key: null },
  ];
  const bytes = parquetBytes(
    tableOf(rows, { timeMs: number, name: { type: 'text', unit: '' }, key: { type: 'boolean', unit: '' } }),
  );
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  assert.deepEqual(await parquetReadObjects({ file, compressors }), rows);
  const metadata = parquetMetadata(file);
  assert.equal(Number(metadata.num_rows), 3);
  assert.deepEqual(JSON.parse(metadata.key_value_metadata!.find(({ key }) => key === 'coexist.units')!.value!), {
    timeMs: 'ms',
  });
  assert.deepEqual(
    metadata.schema.slice(1).map(({ name, type, repetition_type }) => [name, type, repetition_type]),
    [
      ['timeMs', 'DOUBLE', 'OPTIONAL'],
      ['name', 'BYTE_ARRAY', 'OPTIONAL'],
      ['key', 'BOOLEAN', 'OPTIONAL'],
    ],
  );
});

test('a table without rows, and one without values, are tables too', async () => {
  for (const rows of [[], [{ timeMs: null }]]) {
    const bytes = parquetBytes(tableOf(rows, { timeMs: number }));
    assert.deepEqual(
      await parquetReadObjects({
        file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
        compressors,
      }),
      rows,
    );
  }
});

test('many rows survive', async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ timeMs: i % 7 === 0 ? null : i / 3 }));
  const bytes = parquetBytes(tableOf(rows, { timeMs: number }));
  assert.deepEqual(
    await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
      compressors,
    }),
    rows,
  );
});
