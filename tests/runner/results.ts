/** Results of test files, counted from the events of the processes that ran them. */
import type { TestEvent } from './reporter.ts';

export type Failure = { name: string; line?: number; error: string };

export type FileResult = {
  /** Path from the root of the checkout. */
  file: string;
  passed: number;
  failures: Failure[];
  skipped: { name: string; why: string }[];
  diagnostics: string[];
  /** Sum of the times of its suites and of its tests outside of suites, ms. */
  ms: number;
};

export const emptyResult = (file: string): FileResult => ({
  file,
  passed: 0,
  failures: [],
  skipped: [],
  diagnostics: [],
  ms: 0,
});

/** Nothing of it has ended. */
export const isEmpty = ({ passed, failures, skipped }: FileResult): boolean =>
  passed + failures.length + skipped.length === 0;

/** Failed with that reason, whatever its tests say. */
export function failFile(result: FileResult, error: string, name = 'the file as a whole'): void {
  result.failures.push({ name, error });
}

/** Adds one event. A suite counts only where it fails by itself: its tests are counted. */
export function addEvent(result: FileResult, event: TestEvent): void {
  if (event.type === 'diagnostic') result.diagnostics.push(event.text);
  if (event.type !== 'end') return;
  const { name, line, skipped } = event;
  result.ms += event.ms;
  if (!event.passed) {
    if (event.isSuite && /\d+ subtests? failed/.test(event.error ?? '')) return;
    result.failures.push({
      name,
      ...(line === undefined ? {} : { line }),
      error: event.error ?? 'no reason was given',
    });
  } else if (skipped !== undefined) result.skipped.push({ name, why: skipped });
  else if (!event.isSuite) result.passed++;
}
