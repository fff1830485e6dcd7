/**
 * Reads dumps by the rules of the maintained viewer, and fails if that viewer would stop or show nothing:
 * github.com/rtcstats/rtcstats of August 2026, dump-importer/import-internals.js, packages/rtcstats-shared/dump.js and
 * timeseries.js. Its reader is not installable from npm, so its rules are written anew here.
 */
import assert from 'node:assert/strict';

type Point = [timeMs: number, value: unknown];
type Series = Record<string, string | Point[]>;
type Call = { timeMs: number; type: string; value: unknown };

/**
 * Returns the series by report and member. In the names of series, the member follows the last dash. Times are those of
 * the report, aligned at the end of the series, because a member may begin late.
 */
export function seriesOf({ stats }: { stats: Record<string, { statsType: string; values: string }> }) {
  const all: Record<string, Series> = {};
  for (const [name, { statsType, values }] of Object.entries(stats)) {
    const [id, member] = [name.slice(0, name.lastIndexOf('-')), name.slice(name.lastIndexOf('-') + 1)];
    assert.ok(stats[`${id}-timestamp`] !== undefined, `${name} has no times`);
    const times = JSON.parse(stats[`${id}-timestamp`]!.values) as number[];
    const points = JSON.parse(values) as unknown[];
    const first = times.length - points.length;
    (all[id] ??= { type: statsType })[member] = points.map((value, k): Point => [times[first + k]!, value]);
  }
  return all;
}

/**
 * Returns a call or event. Text of descriptions is recognised by its beginning. Text that begins like an object must be
 * an object.
 */
function callOf({ timestamp, type, value }: { timestamp: number; type: string; value: string }): Call {
  assert.equal(typeof timestamp, 'number');
  assert.equal(typeof value, 'string');
  if (/DescriptionOnFailure$/.test(type)) return { timeMs: timestamp, type, value };
  if (/^(set(Local|Remote)Description|create(Offer|Answer)OnSuccess)$/.test(type))
    assert.ok(value.startsWith('{"type":'), `${type} is not shown as a description: ${value.slice(0, 20)}`);
  return { timeMs: timestamp, type, value: value === '' ? '' : (JSON.parse(value) as unknown) };
}

export function readInternals(text: string) {
  assert.equal(text[0], '{', 'the first character tells what it is');
  const dump = JSON.parse(text) as {
    UserAgent: string;
    UserAgentData?: { brand: string; version: string }[];
    PeerConnections: Record<
      string,
      {
        rtcConfiguration: unknown;
        updateLog: Parameters<typeof callOf>[0][];
        stats: Parameters<typeof seriesOf>[0]['stats'];
      }
    >;
  };
  assert.ok(Array.isArray(dump.UserAgentData), 'it is refused as unsupported');
  for (const { brand, version } of dump.UserAgentData) assert.ok(brand !== '' && version !== '');
  return {
    browser: dump.UserAgent,
    connections: Object.fromEntries(
      Object.entries(dump.PeerConnections).map(([id, { rtcConfiguration, updateLog, stats }]) => {
        assert.equal(typeof rtcConfiguration, 'object', 'a text is shown with its quotes');
        return [id, { configuration: rtcConfiguration, calls: updateLog.map(callOf), series: seriesOf({ stats }) }];
      }),
    ),
  };
}

type Reports = Record<string, Record<string, unknown> | null>;

/** Merges each report with its previous state; null removes the report. */
function grown(before: Reports, now: Reports): Reports {
  const all: Reports = { ...before };
  for (const [id, report] of Object.entries(now)) {
    if (report === null) delete all[id];
    else all[id] = { ...all[id], ...report };
  }
  return all;
}

/** Returns the lines by connection, with absolute times. */
export function readRtcstats(text: string) {
  const [magic, facts, ...lines] = text.split('\n');
  assert.equal(magic, 'RTCStatsDump');
  const { fileFormat, userAgent } = JSON.parse(facts!) as { fileFormat: number; userAgent: string };
  assert.equal(fileFormat, 3);
  const connections: Record<string, Call[]> = {};
  const last: Record<string, Reports> = {};
  let timeMs = 0;
  for (const line of lines.filter(one => one !== '')) {
    const [type, id, value, ...rest] = JSON.parse(line) as [string, string, unknown, ...unknown[]];
    timeMs += rest.pop() as number;
    if (type === 'getStats') last[id] = grown(last[id] ?? {}, value as Reports);
    (connections[id] ??= []).push({ timeMs, type, value: type === 'getStats' ? last[id] : value });
  }
  return { userAgent, connections };
}
