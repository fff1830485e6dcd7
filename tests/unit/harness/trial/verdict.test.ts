import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { hostLimits as limits } from '../../../../core/vocabulary/host-limits.ts';
import { ofEachPart, type TrialPart } from '../../../../core/vocabulary/trial-parts.ts';
import type { CallerRecord } from '../../../../harness/record/series/caller.ts';
import type { HostRecord } from '../../../../harness/record/series/host.ts';
import type { PageRecord } from '../../../../harness/record/series/page.ts';
import type { SenderRecord } from '../../../../harness/record/series/sender.ts';
import type { Verdict } from '../../../../harness/record/trial-file.ts';
import {
  failureFinding,
  hostFindings,
  latenessFindings,
  type Vitals,
  verdictOf,
} from '../../../../harness/trial/verdict.ts';
import { endMs, sender, startMs } from '../support/record.ts';

const page = (timeMs: number, change: Partial<PageRecord> = {}): PageRecord => ({
  timeMs,
  mainThreadDelayMaxMs: 5,
  visible: true,
  ...change,
});
const host = (timeMs: number, change: Partial<HostRecord> = {}): HostRecord => ({
  timeMs,
  cores: 4,
  busyRatio: 1,
  stealRatio: 0,
  wakeUpDelayMaxMs: 1,
  harnessDelayMaxMs: 5,
  ...change,
});
const caller = (timeMs: number, change: Partial<CallerRecord> = {}): CallerRecord => ({
  timeMs,
  outbound: null,
  candidatePair: null,
  remoteInbound: null,
  cpuLimitedS: 0,
  mainThreadDelayMaxMs: 5,
  visible: true,
  ...change,
});
const inside = startMs + 1000;

type Changes = {
  sender?: Partial<SenderRecord>;
  page?: Partial<PageRecord>;
  host?: Partial<HostRecord>;
  clockMs?: number;
  cpuLimitedS?: number;
};

/** Returns the vitals of a quiet trial with one record of each kind inside the window. `change`: values that differ. */
function vitals(change: Changes = {}): Vitals {
  return {
    window: { startMs, endMs },
    clocks: {
      server: { offsetMs: 0, uncertaintyMs: change.clockMs ?? 0.1 },
      page: { offsetMs: 0, uncertaintyMs: 0.1 },
    },
    sender: [sender(inside, change.sender)],
    caller:
      change.cpuLimitedS === undefined
        ? []
        : [caller(inside), caller(inside + 5000, { cpuLimitedS: change.cpuLimitedS })],
    page: [page(inside, change.page)],
    service: [],
    host: [host(inside, change.host)],
  };
}

const statusOf = (change: Vitals): Verdict['status'] => verdictOf(hostFindings(change)).status;

test('a quiet machine has nothing to answer for', () => {
  assert.deepEqual(hostFindings(vitals()), []);
  assert.deepEqual(verdictOf([]), { status: 'valid', findings: [] });
});

/** Returns the longest wait of a thread for each part, ms; 1 for parts that are not in `waits`. */
const threadWaitMaxMs = (waits: Partial<Record<TrialPart, number>>) => ofEachPart(part => waits[part] ?? 1);

/** Limits that a single record of this machine can exceed. The others have separate tests. */
type OfOneRecord = Exclude<
  keyof typeof limits,
  | 'plannedTimeMs'
  | 'plannedLeadShare'
  | 'linkStopMs'
  | 'linkStoppedShare'
  | 'busyShare'
  | 'heldUpShare'
  | 'threadWaitMs'
  | 'threadWaitMeanMs'
>;

/**
 * For each limit, a function that returns a trial in which the judged quantity has a given value, and the expected
 * message.
 */
const judged: Record<OfOneRecord, [(value: number) => Changes, RegExp]> = {
  senderDelayMs: [value => ({ sender: { eventLoopDelayMaxMs: value } }), /^the media server was held up for \d+ ms$/],
  frameLatenessMs: [value => ({ sender: { frameLatenessMaxMs: value } }), /^a frame was captured \d+ ms late$/],
  pageDelayMs: [value => ({ page: { mainThreadDelayMaxMs: value } }), /^the browser's page was held up for \d+ ms$/],
  wakeUpDelayMs: [
    value => ({ host: { wakeUpDelayMaxMs: value } }),
    /^a thread that was ready waited \d+ ms for a processor$/,
  ],
  harnessDelayMs: [value => ({ host: { harnessDelayMaxMs: value } }), /^the harness was held up for \d+ ms$/],
  stolenCores: [value => ({ host: { stealRatio: value } }), /^the hypervisor took \d+ % of a core for a second$/],
  cpuLimitedShare: [
    value => ({ cpuLimitedS: value * 5 }),
    /^the sending browser's encoder was limited by the processor for \d+ % of the time$/,
  ],
  clockUncertaintyMs: [value => ({ clockMs: value }), /^the clocks agree to [\d.]+ ms only$/],
};

for (const [name, [change, message]] of Object.entries(judged)) {
  test(`${name}: up to a limit nothing is said, above it the trial is marked`, () => {
    const { degraded, invalid } = limits[name as keyof typeof judged];
    const above = (limit: number) => limit * 1.0001;
    assert.equal(statusOf(vitals(change(degraded))), 'valid');
    assert.equal(statusOf(vitals(change(above(degraded)))), 'degraded');
    assert.equal(statusOf(vitals(change(invalid))), 'degraded');
    assert.equal(statusOf(vitals(change(above(invalid)))), 'invalid');
    const [finding, ...others] = hostFindings(vitals(change(above(invalid))));
    assert.deepEqual([finding!.kind, others], ['host', []]);
    assert.match(finding!.message, message);
  });
}

test('what begins or ends after its time is marked, and voided where it is far off; without a time of its own it is not', () => {
  const said = (timeMs: number | null, plannedMs: number | null, leadMs = 0) =>
    latenessFindings('late', [{ what: 'began', timeMs, plannedMs, leadMs }]).map(({ status, message }) => [
      status,
      message,
    ]);
  const { degraded, invalid } = limits.plannedTimeMs;
  assert.deepEqual(
    [said(1000 + degraded, 1000), said(900, 1000), said(null, 1000), said(9000, null)],
    [[], [], [], []],
  );
  assert.deepEqual(said(1000 + invalid, 1000), [['degraded', 'late began 500 ms after its time']]);
  assert.deepEqual(said(1001 + invalid, 1000), [['invalid', 'late began 501 ms after its time']]);
});

test('what begins long before the window may be late by a share of the time to the window', () => {
  const statusesAt = (lateMs: number, leadMs: number) =>
    latenessFindings('early', [{ what: 'began', timeMs: 1000 + lateMs, plannedMs: 1000, leadMs }]).map(
      ({ status }) => status,
    );
  const leadMs = 20_000;
  const { degraded, invalid } = limits.plannedLeadShare;
  assert.deepEqual(statusesAt(degraded * leadMs, leadMs), []);
  assert.deepEqual(statusesAt(degraded * leadMs + 1, leadMs), ['degraded']);
  assert.deepEqual(statusesAt(invalid * leadMs, leadMs), ['degraded']);
  assert.deepEqual(statusesAt(invalid * leadMs + 1, leadMs), ['invalid']);
  // shortly before the window, and in it, the time itself is the limit
  for (const short of [2000, 0, -20_000]) {
    assert.deepEqual(statusesAt(limits.plannedTimeMs.degraded, short), []);
    assert.deepEqual(statusesAt(limits.plannedTimeMs.invalid + 1, short), ['invalid']);
  }
});

/**
 * Returns the vitals of a quiet window with one record per second. `change`: values that differ in the first second.
 */
function seconds(change: { sender?: Partial<SenderRecord>; page?: Partial<PageRecord>; host?: Partial<HostRecord> }) {
  const times = Array.from({ length: (endMs - startMs) / 1000 }, (_, i) => startMs + 1000 * (i + 1));
  return {
    ...vitals(),
    sender: times.map((timeMs, i) => sender(timeMs, i === 0 ? change.sender : {})),
    page: times.map((timeMs, i) => page(timeMs, i === 0 ? change.page : {})),
    host: times.map((timeMs, i) =>
      host(timeMs, { threadWaitMaxMs: threadWaitMaxMs({}), ...(i === 0 ? change.host : {}) }),
    ),
  };
}

test('the worst second counts', () => {
  const { degraded, invalid } = limits.senderDelayMs;
  const statusAt = (eventLoopDelayMaxMs: number) => statusOf(seconds({ sender: { eventLoopDelayMaxMs } }));
  assert.deepEqual([degraded, degraded + 1, invalid, invalid + 1].map(statusAt), [
    'valid',
    'degraded',
    'degraded',
    'invalid',
  ]);
});

test('many short hold-ups void a trial as one long one does, shorter ones than the lower limit do not', () => {
  const each = (eventLoopDelayMaxMs: number) => ({
    ...seconds({}),
    sender: seconds({}).sender.map(record => ({ ...record, eventLoopDelayMaxMs })),
  });
  const { degraded } = limits.senderDelayMs;
  assert.equal(statusOf(each(degraded)), 'valid');
  const messages = hostFindings(each(60)).map(({ status, message }) => `${status}: ${message}`);
  assert.deepEqual(messages, [
    'degraded: the media server was held up for 60 ms',
    'invalid: hold-ups of the media server add up to 6.0 % of the window',
  ]);
  assert.equal(statusOf(each(45)), 'degraded');
});

test('a machine that is busy to the full does no harm where the threads of the trial do not wait', () => {
  assert.deepEqual(hostFindings(vitals({ host: { busyRatio: 4, threadWaitMaxMs: threadWaitMaxMs({}) } })), []);
});

test('a thread of the trial that waited long in one second marks the trial, and voids it where it waited longer', () => {
  const { degraded, invalid } = limits.threadWaitMs;
  const of = (part: TrialPart, ms: number) =>
    hostFindings(seconds({ host: { threadWaitMaxMs: threadWaitMaxMs({ [part]: ms }) } })).map(
      ({ status, message }) => `${status}: ${message}`,
    );
  assert.deepEqual(of('browser', degraded), []);
  assert.deepEqual(of('browser', degraded + 1), [
    'degraded: a thread of the browser waited 251 ms for a processor within a second',
  ]);
  assert.deepEqual(of('link', invalid + 1), [
    'invalid: a thread of the program that forms the link waited 501 ms for a processor within a second',
  ]);
  assert.deepEqual([of('harness', 900), of('flood', 900)], [[], []], 'nothing hangs on these');
});

test('a thread of the trial that waits in every second is judged by the mean', () => {
  const each = (mediaServer: number) => ({
    ...seconds({}),
    host: seconds({}).host.map(record => ({ ...record, threadWaitMaxMs: threadWaitMaxMs({ mediaServer }) })),
  });
  const { degraded, invalid } = limits.threadWaitMeanMs;
  assert.deepEqual(
    [degraded, degraded + 1].map(ms => statusOf(each(ms))),
    ['valid', 'degraded'],
  );
  assert.equal(statusOf(each(invalid)), 'degraded');
  assert.match(
    hostFindings(each(invalid + 1)).find(({ status }) => status === 'invalid')!.message,
    /^a thread of the media server waited 251 ms for a processor in each second, on average$/,
  );
});

test('the thread that only sleeps is judged only where the kernel does not tell how long threads waited', () => {
  const late = { wakeUpDelayMaxMs: 900 };
  assert.equal(statusOf(vitals({ host: late })), 'invalid');
  assert.equal(statusOf(vitals({ host: { ...late, threadWaitMaxMs: ofEachPart(() => null) } })), 'invalid');
  assert.equal(statusOf(vitals({ host: { ...late, threadWaitMaxMs: threadWaitMaxMs({}) } })), 'valid');
});

test('a record tells of the second before it: only those inside the window count', () => {
  const late = { eventLoopDelayMaxMs: 1000 };
  const at = (timeMs: number) => statusOf({ ...vitals(), sender: [sender(inside), sender(timeMs, late)] });
  assert.deepEqual([startMs - 100, startMs + 500].map(at), ['valid', 'valid']);
  assert.deepEqual([startMs + 501, endMs, endMs + 499].map(at), ['invalid', 'invalid', 'invalid']);
  assert.deepEqual([endMs + 500, endMs + 3000].map(at), ['valid', 'valid']);
  assert.equal(
    statusOf({ ...vitals(), page: [page(inside), page(startMs, { mainThreadDelayMaxMs: 900, visible: false })] }),
    'valid',
  );
  assert.equal(
    statusOf({ ...vitals(), host: [host(inside), host(endMs + 600, { wakeUpDelayMaxMs: 900, stealRatio: 1 })] }),
    'valid',
  );
});

test("the media server's clock is moved onto the harness's", () => {
  const clocks = { server: { offsetMs: 60_000, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } };
  assert.equal(statusOf({ ...vitals(), clocks, sender: [sender(inside - 60_000)] }), 'valid');
  assert.equal(
    statusOf({
      ...vitals(),
      clocks,
      sender: [sender(inside - 60_000), sender(inside + 60_000, { eventLoopDelayMaxMs: 900 })],
    }),
    'valid',
  );
});

test('a sending browser is an account of the sender, and is judged as a page', () => {
  const without = { ...vitals(), sender: [] };
  assert.equal(statusOf({ ...without, caller: [caller(inside)] }), 'valid');
  assert.match(hostFindings(without)[0]!.message, /no readings of the sender/);
  assert.match(
    hostFindings({ ...without, caller: [caller(inside, { mainThreadDelayMaxMs: 151 })] })[0]!.message,
    /^the sending browser's page was held up for 151 ms$/,
  );
  assert.equal(statusOf({ ...without, caller: [caller(inside, { visible: false })] }), 'invalid');
});

test('a page that nobody could see is no page', () => {
  assert.deepEqual(hostFindings(vitals({ page: { visible: false } })), [
    { kind: 'host', status: 'invalid', message: "a browser's page was not visible" },
  ]);
});

test('who says nothing of the window is not believed to have been quiet', () => {
  const outside = startMs - 5000;
  const message = (change: Partial<Vitals>) =>
    hostFindings({ ...vitals(), ...change }).map(({ kind, status, message: text }) => [kind, status, text]);
  assert.deepEqual(message({ sender: [] }), [
    ['failure', 'invalid', 'there are no readings of the sender in the window'],
  ]);
  const own = { kind: 'transfer', receivedBytes: 1, flows: 1 } as const;
  assert.deepEqual(
    message({ page: [], sender: [], service: [{ timeMs: inside, ...own }] }),
    [],
    'a service that is no stream tells of itself',
  );
  assert.equal(message({ page: [], sender: [], service: [{ timeMs: outside, ...own }] }).length, 1);
  assert.deepEqual(message({ host: [host(outside)] }), [
    ['failure', 'invalid', 'there are no readings of the host in the window'],
  ]);
  assert.deepEqual(message({ page: [page(outside)], sender: [sender(outside)] }), [
    ['failure', 'invalid', 'there are no readings of the sender and the page in the window'],
  ]);
});

test('a note is told and changes nothing', () => {
  const note = { kind: 'estimate', status: 'note', message: 'x' } as const;
  assert.deepEqual(verdictOf([note]), { status: 'valid', findings: [note] });
  assert.equal(verdictOf([note, { kind: 'host', status: 'degraded', message: 'y' }]).status, 'degraded');
});

test('one invalid finding voids a trial, any other marks it', () => {
  const finding = (status: 'degraded' | 'invalid') => ({ kind: 'host' as const, status, message: 'x' });
  assert.equal(verdictOf([finding('degraded'), finding('degraded')]).status, 'degraded');
  assert.equal(verdictOf([finding('degraded'), finding('invalid')]).status, 'invalid');
});

test('what a part died of is a finding; what ends the whole run is thrown on', () => {
  const run = new AbortController();
  const findings = (['link-refused', 'service-failed', 'no-video'] as const).map(code =>
    failureFinding(new CoexistError(code, 'words'), run.signal),
  );
  assert.deepEqual(
    findings.map(({ kind, status, message }) => [kind, status, message]),
    [
      ['link', 'invalid', 'words'],
      ['failure', 'invalid', 'words'],
      ['failure', 'invalid', 'words'],
    ],
  );
  assert.throws(() => failureFinding(new CoexistError('disk-full', 'disk full'), run.signal), { code: 'disk-full' });
  assert.throws(() => failureFinding(new TypeError('a fault of ours'), run.signal), TypeError);
  run.abort(new CoexistError('interrupted', 'interrupted'));
  assert.throws(() => failureFinding(new CoexistError('no-video', 'words'), run.signal), { code: 'interrupted' });
});
