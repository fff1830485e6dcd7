/** Writes a table as CSV, in the columns that it uses (docs/links.md). */
import type { Table, TableRow } from './table.ts';

type Column = { name: string; of(row: TableRow): string | number | undefined };

/** Returns the number with at most nine decimals, so that a table reads back as it was. */
const plain = (value: number | undefined) => (value === undefined ? undefined : Number(value.toFixed(9)));

/** `comments`: lines that say where the table comes from. A cell is empty where its value is that of the row before. */
export function tableText({ rows, linear }: Table, comments: readonly string[]): string {
  const columns: Column[] = [
    { name: 'time_ms', of: ({ atMs }) => plain(atMs) },
    { name: 'rate_mbps', of: ({ rateBps }) => plain(rateBps === undefined ? undefined : rateBps / 1e6) },
    { name: linear ? 'delay_linear_ms' : 'delay_ms', of: ({ delayMs }) => plain(delayMs) },
    { name: 'loss_ratio', of: ({ lossRatio }) => plain(lossRatio) },
    { name: 'burst_packets', of: ({ burstPackets }) => plain(burstPackets) },
    { name: 'outage', of: ({ outage }) => (outage === undefined ? undefined : Number(outage)) },
  ];
  const used = columns.filter(({ of }) => of(rows[0]!) !== undefined);
  const lines = rows.map((row, k) =>
    used
      .map(({ of }, column) => {
        const value = of(row)!;
        return column > 0 && k > 0 && of(rows[k - 1]!) === value ? '' : String(value);
      })
      .join(','),
  );
  const head = comments.map(line => `# ${line.replaceAll(/[\r\n]+/g, ' ')}`);
  return `${[...head, used.map(({ name }) => name).join(','), ...lines].join('\n')}\n`;
}
