/**
 * Backends, which form a link, and their names in text for people.
 *
 * `tc`: the kernel's HTB. `tbf` and `netem`: other shapers of the kernel. Delays come from netem, or with `+line` from
 * the project's delay line. `emulator`: a program of this project forms the whole link. `mahimahi`: the shells of
 * mahimahi, which the user has installed, form it. `outside`: the shells of mahimahi around the command are the link.
 */
import { linkTraces, type Traced } from './link-trace.ts';

export const backendIds = [
  'tc',
  'tc+line',
  'tbf',
  'tbf+line',
  'netem',
  'netem+line',
  'emulator',
  'mahimahi',
  'outside',
] as const;

export type BackendId = (typeof backendIds)[number];
export type KernelBackendId = Exclude<BackendId, 'emulator' | 'mahimahi' | 'outside'>;
export type KernelShaper = 'htb' | 'tbf' | 'netem';

const shapers = { tc: 'htb', tbf: 'tbf', netem: 'netem' } as const satisfies Record<string, KernelShaper>;

export function kernelParts(id: KernelBackendId): { shaper: KernelShaper; hasLine: boolean } {
  const [name, line] = id.split('+') as [keyof typeof shapers, 'line'?];
  return { shaper: shapers[name], hasLine: line !== undefined };
}

/**
 * True if the backend serialises: it sends no packet before a real link of the same rate would have sent the packet's
 * last bit.
 */
export function isSerialising(id: BackendId): boolean {
  if (id === 'mahimahi' || id === 'outside') return false;
  return id === 'emulator' || kernelParts(id).shaper === 'netem';
}

/** Returns the backend in words: "emulator, serialising" or "tc+line, not serialising". A link outside was not formed. */
export function describeBackend(id: BackendId): string {
  if (id === 'outside') return 'outside: the network around the command; Coexist set neither rate nor queue';
  return `${id}, ${isSerialising(id) ? 'serialising' : 'not serialising'}`;
}

const [emulatorWords, tcWords] = [describeBackend('emulator'), describeBackend('tc')];

/**
 * Returns words for the backend `auto` of `links` while Coexist has not yet tried which backends the machine can run.
 * Only the emulator plays traces.
 */
export function autoBackendWords(links: readonly Traced[]): string {
  const traced = links.filter(link => linkTraces(link).length > 0).length;
  if (traced > 0 && traced === links.length) return emulatorWords;
  const which = traced > 0 ? 'a link without a trace' : 'the link';
  return `${emulatorWords}; where it cannot form ${which}, ${tcWords}, if no flow can tell`;
}

/** Explanation, for a report, of the words that `describeBackend` returns. */
export const backendLegend =
  '"formed by": emulator is a program of this project; tc (HTB), tbf and netem are shapers of the Linux kernel, ' +
  '"+line" adds the delays by a program of this project, and mahimahi stands for mm-link and mm-delay; outside is the ' +
  'network around the command, as it was. A serialising link sends each packet when its last bit ' +
  'would have left a real link of that rate. One that is not lets the first packet or two after a pause through at ' +
  'once, so that a flow with a base round-trip time below about ten such times takes the link for faster than it is';
