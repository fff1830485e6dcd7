/**
 * Judges if effects of the machine disturbed a trial, as distinct from effects of the network.
 *
 * To the viewer a stall of the host looks like a stall of the network. Every part that has to be punctual therefore
 * reports its delays. A trial in which a part was too late is marked and not counted.
 */

import { CoexistError, exitStatus, messageOf } from '../../core/errors.ts';
import type { ClockOffset } from '../../core/system/clock.ts';
import { unwanted } from '../../core/system/machine-settings.ts';
import { type Limit, hostLimits as limits } from '../../core/vocabulary/host-limits.ts';
import type { HostReading } from '../../shaper/topology/topology.ts';
import { waitsOf } from '../analysis/derive/processor-wait.ts';
import type { CallerRecord } from '../record/series/caller.ts';
import type { HostRecord } from '../record/series/host.ts';
import type { PageRecord } from '../record/series/page.ts';
import type { SenderRecord } from '../record/series/sender.ts';
import type { ServiceRecord } from '../record/series/service.ts';
import type { Finding, Verdict } from '../record/trial-file.ts';
import type { Window } from '../record/trial-record.ts';

/** Shortest use after which records are expected, ms. Records come once a second, so a shorter use may have none. */
const toldWithinMs = 2500;

/**
 * Shortest sleep that is a finding, ms. A shorter one may be an error of clocks that were read while the machine was
 * busy.
 */
const shortestSleepMs = 250;

export type Vitals = {
  window: Window;
  clocks: { server: ClockOffset; page: ClockOffset };
  sender: SenderRecord[];
  caller: CallerRecord[];
  page: PageRecord[];
  service: ServiceRecord[];
  host: HostRecord[];
};

/**
 * Returns the records of those seconds whose middle is in the window. A record describes the second before its time.
 */
function inWindow<T extends { timeMs: number }>(records: readonly T[], { startMs, endMs }: Window): T[] {
  const halfSecondMs = 500;
  return records.filter(record => record.timeMs - halfSecondMs > startMs && record.timeMs - halfSecondMs < endMs);
}

const max = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

/**
 * Converts the error of a trial into a finding. Throws errors that end the whole run, such as a full disk. Throws the
 * reason of `signal` if that is aborted.
 */
export function failureFinding(error: unknown, signal: AbortSignal): Finding {
  signal.throwIfAborted();
  if (!(error instanceof CoexistError) || error.exitStatus !== exitStatus.trialsFailed) throw error;
  return { kind: error.code === 'link-refused' ? 'link' : 'failure', status: 'invalid', message: messageOf(error) };
}

/** Returns a finding if `value` exceeds a limit of `limit`; none otherwise. */
export function judge(value: number, limit: Limit, message: (value: number) => string): Finding[] {
  const status = value > limit.invalid ? 'invalid' : value > limit.degraded ? 'degraded' : undefined;
  return status === undefined ? [] : [{ kind: 'host', status, message: message(value) }];
}

/**
 * Returns findings about applications that began, paused or ended too long after their planned times. `leadMs`: time
 * from the planned one to the window; 0 or less if it is in the window. A time is null if it is not known or not
 * planned.
 */
export function latenessFindings(
  name: string,
  times: readonly {
    what: 'began' | 'paused' | 'went on' | 'ended';
    timeMs: number | null;
    plannedMs: number | null;
    leadMs: number;
  }[],
): Finding[] {
  const limitOf = (leadMs: number, status: keyof Limit) =>
    Math.max(limits.plannedTimeMs[status], limits.plannedLeadShare[status] * leadMs);
  return times.flatMap(({ what, timeMs, plannedMs, leadMs }) =>
    timeMs === null || plannedMs === null
      ? []
      : judge(
          timeMs - plannedMs,
          { degraded: limitOf(leadMs, 'degraded'), invalid: limitOf(leadMs, 'invalid') },
          late => `${name} ${what} ${Math.round(late)} ms after its time`,
        ),
  );
}

/** Returns a finding if the machine was suspended during the trial. `sleptMs`: time for which it was suspended. */
export function suspendFindings(sleptMs: number): Finding[] {
  return sleptMs < shortestSleepMs
    ? []
    : [
        {
          kind: 'host',
          status: 'invalid',
          message: `the machine slept for ${Number((sleptMs / 1000).toPrecision(2))} s`,
        },
      ];
}

/**
 * Returns a finding if the times of the trial are too uncertain. `uncertaintyMs`: largest possible difference between
 * the clocks that measured them.
 */
export function clockFindings(uncertaintyMs: number): Finding[] {
  return judge(uncertaintyMs, limits.clockUncertaintyMs, v => `the clocks agree to ${v.toFixed(1)} ms only`);
}

/** Returns findings about a machine of a lab that took part in the trial. */
export function machineFindings({ name, load: { busyShare, stolenCores }, settings = {} }: HostReading): Finding[] {
  return [
    ...unwanted(settings).map(
      (text): Finding => ({ kind: 'host', status: 'note', message: `a setting of machine "${name}": ${text}` }),
    ),
    ...judge(busyShare, limits.busyShare, v => `machine "${name}" was ${Math.round(v * 100)} % busy`),
    ...judge(
      stolenCores,
      limits.stolenCores,
      v => `the hypervisor of machine "${name}" took ${Math.round(v * 100)} % of a core`,
    ),
  ];
}

/**
 * Returns the share of the time from first to last record in which the processor limited the sending browser's encoder.
 */
function cpuLimitedShare(caller: readonly CallerRecord[]): number {
  const [first, last] = [caller[0], caller.at(-1)];
  if (first?.cpuLimitedS == null || last?.cpuLimitedS == null || last.timeMs <= first.timeMs) return 0;
  return ((last.cpuLimitedS - first.cpuLimitedS) * 1000) / (last.timeMs - first.timeMs);
}

/**
 * Returns findings about parts of the service that were held up too long in total. All hold-ups above the lower limit
 * are added, since many short ones do as much harm as a long one.
 */
function heldUpFindings(
  { startMs, endMs }: Window,
  { sender, page, caller }: Pick<Vitals, 'sender' | 'page' | 'caller'>,
): Finding[] {
  const parts: [string, number[], Limit][] = [
    ['the media server', sender.map(s => s.eventLoopDelayMaxMs), limits.senderDelayMs],
    ["the media server's frames", sender.map(s => s.frameLatenessMaxMs), limits.frameLatenessMs],
    ["the browser's page", page.map(p => p.mainThreadDelayMaxMs), limits.pageDelayMs],
    ["the sending browser's page", caller.map(c => c.mainThreadDelayMaxMs), limits.pageDelayMs],
  ];
  return parts.flatMap(([who, delaysMs, { degraded }]) => {
    const heldUpMs = delaysMs.filter(delayMs => delayMs > degraded).reduce((a, b) => a + b, 0);
    return judge(
      heldUpMs / (endMs - startMs),
      limits.heldUpShare,
      v => `hold-ups of ${who} add up to ${(v * 100).toFixed(1)} % of the window`,
    );
  });
}

/**
 * Returns findings about effects of the machine on an application. `window`: part of the trial's window in which the
 * application was in use.
 */
export function hostFindings({
  window,
  clocks,
  sender: allSender,
  caller: allCaller,
  page: allPage,
  service: allService,
  host: allHost,
}: Vitals): Finding[] {
  const sender = inWindow(
    allSender.map(record => ({ ...record, timeMs: record.timeMs + clocks.server.offsetMs })),
    window,
  );
  const caller = inWindow(allCaller, window);
  const page = inWindow(allPage, window);
  const service = inWindow(allService, window);
  const host = inWindow(allHost, window);
  const ms = (value: number) => `${Math.round(value)} ms`;
  const findings = [
    ...judge(
      max(sender.map(s => s.eventLoopDelayMaxMs)),
      limits.senderDelayMs,
      v => `the media server was held up for ${ms(v)}`,
    ),
    ...judge(
      max(sender.map(s => s.frameLatenessMaxMs)),
      limits.frameLatenessMs,
      v => `a frame was captured ${ms(v)} late`,
    ),
    ...judge(
      max(page.map(p => p.mainThreadDelayMaxMs)),
      limits.pageDelayMs,
      v => `the browser's page was held up for ${ms(v)}`,
    ),
    ...judge(
      max(caller.map(c => c.mainThreadDelayMaxMs)),
      limits.pageDelayMs,
      v => `the sending browser's page was held up for ${ms(v)}`,
    ),
    ...judge(
      cpuLimitedShare(caller),
      limits.cpuLimitedShare,
      v => `the sending browser's encoder was limited by the processor for ${Math.round(v * 100)} % of the time`,
    ),
    ...heldUpFindings(window, { sender, page, caller }),
    ...waitsOf(host).flatMap(({ ms: waitedMs, limit, message }) => judge(waitedMs, limit, () => message)),
    ...judge(
      max(host.map(h => h.harnessDelayMaxMs)),
      limits.harnessDelayMs,
      v => `the harness was held up for ${ms(v)}`,
    ),
    ...judge(
      max(host.map(h => h.stealRatio)),
      limits.stolenCores,
      v => `the hypervisor took ${Math.round(v * 100)} % of a core for a second`,
    ),
    ...clockFindings(max([clocks.server.uncertaintyMs, clocks.page.uncertaintyMs])),
  ];
  if ([...page, ...caller].some(record => !record.visible))
    findings.push({ kind: 'host', status: 'invalid', message: "a browser's page was not visible" });
  // a service without a stream has no records of sender or page, but records of its own kind
  const silent =
    window.endMs - window.startMs < toldWithinMs
      ? []
      : [
          [[...sender, ...caller, ...service], 'sender'],
          [[...page, ...service], 'page'],
          [host, 'host'],
        ].flatMap(([records, name]) => (records!.length === 0 ? [name] : []));
  if (silent.length > 0)
    findings.push({
      kind: 'failure',
      status: 'invalid',
      message: `there are no readings of the ${silent.join(' and the ')} in the window`,
    });
  return findings;
}

export function verdictOf(findings: Finding[]): Verdict {
  const status = findings.some(f => f.status === 'invalid')
    ? 'invalid'
    : findings.some(f => f.status === 'degraded')
      ? 'degraded'
      : 'valid';
  return { status, findings };
}
