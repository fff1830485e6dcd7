/** The end of a run of the tests: one table, a line for each part, then what failed and what was left out, with reasons. */

export type Row = {
  part: string;
  files: number;
  passed: number;
  failed: number;
  skipped: number;
  /** By the clock, of its files one after the other. */
  seconds: number;
  /** Undefined where it was not measured. */
  cpuSeconds: number | undefined;
};

const head = ['part', 'files', 'passed', 'failed', 'skipped', 'seconds', 'processor s'];
const shown = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0));

/** The sum of all parts; by the clock they may have run beside each other. */
export function allOf(rows: readonly Row[], seconds: number, cpuSeconds: number): Row {
  const sum = (read: (row: Row) => number) => rows.reduce((total, row) => total + read(row), 0);
  return {
    part: 'all, by the clock',
    files: sum(row => row.files),
    passed: sum(row => row.passed),
    failed: sum(row => row.failed),
    skipped: sum(row => row.skipped),
    seconds,
    cpuSeconds,
  };
}

/** Lines of equal columns. */
export function tableOf(rows: readonly Row[]): string[] {
  const cells = [
    head,
    ...rows.map(({ part, files, passed, failed, skipped, seconds, cpuSeconds }) => [
      part,
      ...[files, passed, failed, skipped].map(String),
      shown(seconds),
      shown(cpuSeconds),
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...cells.map(line => line[column]!.length)));
  return cells.map(line =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  );
}
