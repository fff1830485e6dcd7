/** The end of a run of the tests: one table, a line for each part, then what failed and what was left out, with reasons. */

export type Row = {
  part: string;
  files: number;
  passed: number;
  failed: number;
  skipped: number;
  /** By the clock, of its files one after the other; undefined where it has not run. */
  seconds: number | undefined;
  cpuSeconds: number | undefined;
};

const head = ['part', 'files', 'passed', 'failed', 'skipped', 'seconds', 'processor s'];
const shown = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0));

/** Lines of equal columns; the last is the sum. */
export function tableOf(rows: readonly Row[], seconds: number, cpuSeconds: number): string[] {
  const sum = (read: (row: Row) => number) => String(rows.reduce((total, row) => total + read(row), 0));
  const cells = [
    head,
    ...rows.map(row => [
      row.part,
      String(row.files),
      String(row.passed),
      String(row.failed),
      String(row.skipped),
      shown(row.seconds),
      shown(row.cpuSeconds),
    ]),
    [
      'all, by the clock',
      sum(row => row.files),
      sum(row => row.passed),
      sum(row => row.failed),
      sum(row => row.skipped),
      shown(seconds),
      shown(cpuSeconds),
    ],
  ];
  const widths = head.map((_, column) => Math.max(...cells.map(line => line[column]!.length)));
  return cells.map(line =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  );
}
