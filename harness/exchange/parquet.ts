/**
 * Writes tables as Apache Parquet files with hyparquet-writer. Numbers are doubles, text is UTF-8, every column may be
 * null. Compression is gzip, which every reader supports.
 */
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Table } from './table.ts';

const basicTypes = { number: 'DOUBLE', text: 'STRING', boolean: 'BOOLEAN' } as const;

/** Returns a table as a Parquet file. The units of the columns are in the metadata of the file. */
export function parquetBytes(table: Table): Uint8Array {
  const units = Object.fromEntries(table.flatMap(({ name, unit }) => (unit === '' ? [] : [[name, unit]])));
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: table.map(({ name, type, values }) => ({
        name,
        data: values,
        type: basicTypes[type],
        nullable: true,
      })),
      codec: 'GZIP',
      compressors: { GZIP: input => gzipSync(input) },
      kvMetadata: [{ key: 'coexist.units', value: JSON.stringify(units) }],
    }),
  );
}
