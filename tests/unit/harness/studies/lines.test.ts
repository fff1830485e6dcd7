import assert from 'node:assert/strict';
import { test } from 'node:test';
import { print } from '../../../../harness/cli/print.ts';
import type { Finding } from '../../../../harness/record/trial-file.ts';
import { describeVerdict, Lines } from '../../../../harness/studies/lines.ts';

const finding = (status: Finding['status'], message: string): Finding => ({ kind: 'host', status, message });

test('what decided comes first, and notes are counted where nothing else is to be said', () => {
  assert.equal(
    describeVerdict({
      status: 'invalid',
      findings: [finding('note', 'n'), finding('degraded', 'd'), finding('invalid', 'i')],
    }),
    'VOID: i; also disturbed: d',
  );
  assert.equal(describeVerdict({ status: 'valid', findings: [finding('note', 'n')] }), 'valid (1 note in the report)');
  assert.equal(describeVerdict({ status: 'degraded', findings: [finding('degraded', 'd')] }), 'valid, disturbed: d');
  assert.doesNotMatch(describeVerdict({ status: 'valid', findings: [] }), /:/);
});

test('of many reasons the first are said, and how many more there are', () => {
  const findings = Array.from({ length: 30 }, (_, k) => finding('invalid', `reason ${k + 1}`));
  assert.equal(
    describeVerdict({ status: 'invalid', findings }),
    'VOID: reason 1; reason 2; reason 3; reason 4; 26 more in the report',
  );
});

/** Returns a stream that is a terminal or not, and collects its text. */
function output(isTTY: boolean): { out: NodeJS.WriteStream; written(): string } {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return { out: { isTTY, columns: 80, write } as unknown as NodeJS.WriteStream, written: () => text };
}

const strange = 'a\x1b]52;c;aGk=\x07b\rc\x9b2Jd\te\x7f';
const harmless = 'a?]52;c;aGk=?b?c?2Jd\te?';

test('the words of strangers cannot steer the terminal, and lines stay lines', () => {
  const terminal = output(true);
  new Lines(terminal.out).say(strange);
  new Lines(terminal.out).sayForNow(strange);
  assert.equal(terminal.written(), `\r\x1b[K${harmless}\n\r\x1b[K${harmless}`);
  const file = output(false);
  new Lines(file.out).say(`${strange}\n${strange}`);
  assert.equal(print(`${strange}\n`, file.out), 0);
  assert.equal(file.written(), `${harmless}\n`.repeat(3));
});

test('tries that a disturbance makes void again and again: once, what to do', () => {
  const written: string[] = [];
  const lines = new Lines({ write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream);
  const end = (...findings: Finding[]) =>
    lines.sayResult('[1/9]', { status: findings.length === 0 ? 'valid' : 'invalid', findings }, { willRetry: true });
  const busy = finding('invalid', 'the machine was 99 % busy');
  const hints = () => written.filter(text => text.includes('tries in a row')).length;
  for (const findings of [[busy], [busy], [busy], [], [busy], [busy], [busy]]) end(...findings);
  end({ ...busy, kind: 'failure' });
  for (let k = 0; k < 3; k++) end(busy);
  assert.equal(hints(), 0);
  for (let k = 0; k < 3; k++) end(busy);
  assert.equal(hints(), 1);
  assert.match(written[0]!, /^\[1\/9\] {2}VOID: the machine was 99 % busy; it is run again\n$/);
});
