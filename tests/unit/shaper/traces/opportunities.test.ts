import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeTrace, traceNote } from '../../../../core/vocabulary/trace-facts.ts';
import { readTrace } from '../../../../shaper/traces/load.ts';
import { parseTrace } from '../../../../shaper/traces/opportunities.ts';

const parsed = (text: string | Uint8Array) => parseTrace(Buffer.from(text as string), 'file');
const timesIn = (text: string | Uint8Array) => [...parsed(text).timesMs];

test('a trace: its opportunities, its period and its rates', () => {
  // 3 x 1500 bytes in 3 ms: 12 Mbit/s
  const facts = { opportunities: 3, periodMs: 3, meanRateBps: 12e6, lowestRateBps: 12e6, highestRateBps: 12e6 };
  assert.deepEqual(parsed('1\n2\n3\n').facts, { ...facts, firstMs: 1, longestPauseMs: 1 });
  assert.equal(parsed('0\n0\r\n10').facts.meanRateBps, 3.6e6);
});

test('the lowest and highest rate of whole seconds, a late first opportunity and the longest pause', () => {
  // (0, 1 s]: 20 of them, (1 s, 2 s]: 10, (2 s, 3 s]: none, (3 s, 4 s]: 30, and half a second that is left out
  const times = [
    ...Array.from({ length: 20 }, (_, k) => 50 * (k + 1)),
    ...Array.from({ length: 10 }, (_, k) => 1000 + 100 * (k + 1)),
    ...Array.from({ length: 30 }, (_, k) => 3100 + 30 * k),
    4500,
  ];
  const { facts } = parsed(times.join('\n'));
  assert.deepEqual([facts.lowestRateBps, facts.highestRateBps], [0, 360e3]);
  assert.deepEqual([facts.firstMs, facts.longestPauseMs, facts.periodMs], [50, 1100, 4500]);
  assert.equal(
    describeTrace(facts),
    'mean 163 kbit/s, 0 bit/s to 360 kbit/s by the second, 4.5 s long with 61 opportunities, the first at 50 ms',
  );
  assert.match(traceNote(facts)!, /^nothing passes for up to 1\.1 s$/);
  assert.equal(traceNote(parsed('1\n2\n').facts), undefined);
});

test('a piece of a longer trace is noted by what it waits for, and told how to mend it', () => {
  const { facts } = parsed(Array.from({ length: 2000 }, (_, k) => 120_001 + k).join('\n'));
  assert.match(traceNote(facts)!, /^nothing passes for the first 2 min of every 2\.03 min, .* take 120001 from each/);
});

describe('what people write is read as they mean it', () => {
  const same: [what: string, text: string | Uint8Array][] = [
    ['byte order mark', '\ufeff1\n2\n3\n'],
    ['no-break space', '1\n2\u00a0\n3\n'],
    ['vertical tab and form feed', '1\n\v2\n3\f\n'],
    ['lines of Windows', '1\r\n2\r\n3\r\n'],
    ['lines of old Macs', '1\r2\r3\r'],
    ['blank lines', '\n1\n\n2\n \n3\n\n\n'],
    ['comments', '# cell 7\n1\n2 # late\n#9\n3'],
    ['byte order mark and a comment', '\ufeff# cell 7\n1\n2\n3'],
    ['no end of the last line', '1\n2\n3'],
    ['leading zeros', '01\n002\n00000000003\n'],
    ['ideographic and thin spaces', '\u30001\n2\u2009\n3\u2028\n'],
    ['tabs', '\t1\n2\t\n\t3\t\n'],
    ['UTF-16 of PowerShell', Buffer.from('\ufeff1\r\n2\r\n3\r\n', 'utf16le')],
    ['UTF-16 with its bytes the other way', Buffer.from('\ufeff1\n2\n3\n', 'utf16le').swap16()],
  ];
  for (const [what, text] of same) test(what, () => assert.deepEqual(timesIn(text), [1, 2, 3]));
});

test('what is no trace is refused with the line at fault', () => {
  const refused = (text: string | Uint8Array, message: RegExp) =>
    assert.throws(() => parsed(text), { code: 'bad-definition', message }, JSON.stringify(text));
  refused('', /file has no time in it$/);
  refused('\n\n# nothing\n', /file has no time in it$/);
  refused('1\nx\n', /file, line 2: "x" is not a time/);
  refused('1\n\nx\n', /file, line 3: "x" is not a time/);
  refused('1\r\n2\r\nx\r\n', /file, line 3: "x" is not a time/);
  refused('1\n-2\n', /line 2: "-2" is not/);
  refused('1.5\n', /line 1: "1.5" is not/);
  refused('1 2\n', /line 1: "1 2" is not/);
  refused('1,2\n', /line 1: "1,2" is not/);
  refused('1e3\n', /line 1: "1e3" is not/);
  refused('\u0661\n', /line 1: "\u0661" is not/); // an Arabic-Indic digit
  refused('1\n2\0\n', /line 2: "2\0" is not/);
  refused('5\n4\n', /line 2: 4 ms comes after 5 ms$/);
  refused('0\n0\n', /lasts no time/);
  refused('1\n4294967296\n', /line 2: 4294967296 ms is more than 4294967295; times count from the start$/);
  refused('1763894400123\n', /line 1: 1763894400123 ms is more than/);
  refused(Buffer.from('\ufeff1\n2\n', 'utf16le').subarray(0, 7), /is not text in UTF-8$/);
  assert.throws(() => readTrace('/nowhere/at/all'), { code: 'bad-definition', message: /cannot be read \(ENOENT\)/ });
});

test('a rate in place of times, and any other trace that no link could carry, is refused with its mean', () => {
  assert.throws(() => parsed('500000'), {
    code: 'bad-definition',
    message:
      'link.trace: file has a mean of 24 bit/s (1 times 1500 bytes in 500000 ms), and a link carries 64 kbit/s to 10 Gbit/s',
    hint: /a rate has no place in a trace/,
  });
  assert.throws(() => parsed('1\n'.repeat(1000)), { message: /has a mean of 12 Gbit\/s/ });
  // 187 ms and 188 ms: 64.2 and 63.8 kbit/s
  assert.equal(Math.round(parsed('187').facts.meanRateBps), 64_171);
  assert.throws(() => parsed('188'), { message: /has a mean of 63\.8 kbit\/s/ });
});

test('a trace of 1 Gbit/s for half a minute', () => {
  const lines = 2_500_000;
  const text = Buffer.from(Array.from({ length: lines }, (_, k) => Math.floor((k * 3) / 250) + 1).join('\n'));
  const { timesMs, facts } = parseTrace(text, 'file');
  assert.deepEqual([timesMs.length, timesMs[0], timesMs.at(-1)], [lines, 1, 30_000]);
  assert.equal(Math.round(facts.meanRateBps / 1e6), 1000);
});
