import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PairsPrinter } from '../../../../../harness/studies/pairs/progress.ts';
import type { Planned } from '../../../../../harness/studies/planner/planner.ts';
import type { LiveTrial } from '../../../../../harness/trial/live-trial.ts';
import { contestant, plan, trial } from './support/study.ts';

const of = plan([contestant('a')]);

function printed(print: (printer: PairsPrinter) => void, isTTY = false): string {
  let text = '';
  const out = {
    isTTY,
    write: (part: string) => {
      text += part;
      return true;
    },
  } as unknown as NodeJS.WriteStream;
  print(new PairsPrinter(of, out));
  return text;
}

const { file } = trial(of, '8mbit-a-and-a', 1, [1, 1]);
const planned = { trial: file.trial, times: { windowMs: 40_000 } } as Planned;
const live = (elapsedMs: number) =>
  ({
    elapsedMs,
    byApplication: [3e6, 5e6].map(goodputBps => ({ framesPerSecond: 0, goodputBps, lost: false })),
  }) as unknown as LiveTrial;

test('where it is no terminal, a line now and then', () => {
  const text = printed(printer => {
    printer.onTrialStart(planned, 1, 2);
    for (let ms = -2000; ms <= 20_000; ms += 1000) printer.onLive(planned, live(ms));
    printer.onTrialEnd(file);
  });
  assert.deepEqual(text.split('\n'), [
    '8mbit-a-and-a-001  (2 of 2 cells are open)',
    '8mbit-a-and-a-001  warming up, 3 Mbit/s and 5 Mbit/s',
    '8mbit-a-and-a-001  13 of 40 s, 3 Mbit/s and 5 Mbit/s',
    '8mbit-a-and-a-001  valid',
    '',
  ]);
});

test('on a terminal one line that changes', () => {
  assert.equal(
    printed(printer => printer.onLive(planned, live(5000)), true),
    '\r\x1b[K8mbit-a-and-a-001  5 of 40 s, 3 Mbit/s and 5 Mbit/s',
  );
});

test('a try that does not count, and a cell that is given up, say why', () => {
  const text = printed(printer => {
    printer.onTrialStart(planned, 2, 1);
    printer.onTrialEnd({
      ...file,
      verdict: {
        status: 'invalid',
        findings: [{ kind: 'host', status: 'invalid', message: 'the machine was 99 % busy' }],
      },
    });
    printer.onGivenUp(of.cells[1]!.id, 'the machine was 99 % busy');
  });
  assert.match(
    text,
    /^8mbit-a-and-a-001, try 2 .*\n8mbit-a-and-a-001 {2}VOID: the machine was 99 % busy\n8mbit-a-and-a {2}cannot be measured: the machine was 99 % busy\n$/,
  );
});
