/**
 * What Node's test runner reports, as JSON lines for the process that runs all files (job.ts), which has opened a pipe
 * as file descriptor 3: one for each test that begins or has ended, each diagnostic, and at the end the processor time and
 * the files that were looked at.
 */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { TestEvent as NodeEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { type Followed, followed } from './follow.ts';
import { cpuSecondsOf } from './processor-time.ts';

/** `file`: path of the file whose text has the test. `error`: as a person reads it. */
export type TestEvent =
  | { type: 'begin'; file: string | undefined; name: string }
  | {
      type: 'end';
      file: string | undefined;
      name: string;
      isSuite: boolean;
      passed: boolean;
      skipped?: string;
      ms: number;
      line: number | undefined;
      error?: string;
    }
  | { type: 'diagnostic'; file?: string; text: string }
  | { type: 'over'; cpuSeconds: number; followed: Followed };

/** The error itself where Node has wrapped it. */
function textOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error ? inspect(cause) : String(cause);
}

function read({ type, data }: NodeEvent): TestEvent | undefined {
  if (type === 'test:dequeue') return { type: 'begin', file: data.file, name: data.name };
  if (type === 'test:diagnostic')
    return data.file === undefined ? undefined : { type: 'diagnostic', file: data.file, text: data.message };
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const { skip } = data;
  return {
    type: 'end',
    file: data.file,
    name: data.name,
    isSuite: data.details.type === 'suite',
    passed: type === 'test:pass',
    ...(skip === undefined || skip === false ? {} : { skipped: typeof skip === 'string' ? skip : 'no reason given' }),
    ms: data.details.duration_ms,
    line: data.line,
    ...(type === 'test:fail' ? { error: textOf(data.details.error) } : {}),
  };
}

/** Nothing for standard output, which is the tests' own. */
export default async function* report(source: AsyncIterable<NodeEvent>): AsyncGenerator<string> {
  const pipe = new Socket({ fd: 3, readable: false, writable: true });
  const write = (event: TestEvent) => pipe.write(`${JSON.stringify(event)}\n`);
  for await (const event of source) {
    const one = read(event);
    if (one !== undefined) write(one);
  }
  const cpuSeconds = cpuSecondsOf(readFileSync('/proc/self/stat', 'utf8'));
  write({ type: 'over', cpuSeconds, followed: followed() });
  pipe.end();
  yield '';
}
