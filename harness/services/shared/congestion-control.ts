/**
 * Finds the TCP congestion control that a flow really uses, and its label.
 *
 * Mainline Linux has BBR version 1 under the name "bbr"; patched kernels have version 3 under the same name. So the
 * label of "bbr" depends on the version that the kernel reports, and a flow is called v3 only if the kernel reports 3.
 * "bbr3" is this project's own BBRv3 (shaper/bbr3), which has to be loaded. "bbr3-kernel" is the BBRv3 of the kernel,
 * if it has one.
 */

import { CoexistError, type ErrorCode } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import { localHost, machineOf } from '../../../core/system/local-host.ts';
import { meantWords } from '../../../core/text/nearest.ts';
import { congestionTitle } from '../../../core/vocabulary/congestion-title.ts';
import { bbr3Name, checkBbr3, registeredBbr3 } from '../../../shaper/bbr3/loader.ts';
import { dctcpName } from '../../../shaper/marking/dctcp.ts';

/** Name by which users request the BBRv3 of a patched kernel. */
export const kernelBbr3 = 'bbr3-kernel';
export const titleOfKernelBbr3 = 'BBRv3 of the kernel';

/** A congestion control that this machine can use. */
export type Usable = {
  /** Name of the congestion control in the kernel. */
  name: string;
  /** True: this project's BBRv3, which has to be loaded and is proved by its telemetry. */
  ours: boolean;
  /** Version that sockets with this congestion control have to report. Undefined: any version. */
  version: string | undefined;
};

/** Returns the names of the congestion controls that the kernel of a host offers now. */
export async function availableCongestionControls(host: Host = localHost): Promise<string[]> {
  return (await host.read('/proc/sys/net/ipv4/tcp_available_congestion_control')).trim().split(/\s+/);
}

/**
 * True for other spellings of BBRv1. A suggestion by similarity may be wrong, since they are as similar to "bbr3" as to
 * "bbr".
 */
const isBbr1 = (name: string) => /^bbr-?v?1$/i.test(name);

/** Throws `missing-congestion-control` if the kernel of the host does not offer the congestion control. */
export async function requireCongestionControl(name: string, host: Host = localHost): Promise<void> {
  const available = await availableCongestionControls(host);
  if (available.includes(name)) return;
  const instead = isBbr1(name) ? '; BBRv1 is called "bbr"' : meantWords(name, [...available, bbr3Name]);
  throw new CoexistError('missing-congestion-control', `this kernel has no congestion control "${name}"${instead}`, {
    hint: `available here: ${available.join(', ')}; "modprobe tcp_${name}" may load it`,
  });
}

/**
 * Returns a note if the kernel does not offer the congestion control. For a plan that is only inspected and may run on
 * another machine. Undefined for BBRv3, since that check needs root, and if the kernel's list cannot be read.
 */
export async function noteOnMissing(asked: string, host: Host = localHost): Promise<string | undefined> {
  if (asked === bbr3Name || asked === kernelBbr3 || asked === dctcpName) return undefined;
  try {
    await requireCongestionControl(asked, host);
  } catch (error) {
    if (error instanceof CoexistError && error.code === 'missing-congestion-control')
      return `note: ${error.message} (${error.hint})`;
  }
  return undefined;
}

/**
 * Returns the congestion control for a name that a user wrote. Throws `missing-congestion-control` if the machine does
 * not have it.
 */
export async function usableCongestionControl(asked: string, host: Host = localHost): Promise<Usable> {
  if (asked === bbr3Name) {
    await checkBbr3(machineOf(host));
    return { name: bbr3Name, ours: true, version: undefined };
  }
  if (asked === kernelBbr3) return { name: await nameOfKernelBbr3(host), ours: false, version: '3' };
  await requireCongestionControl(asked, host);
  return { name: asked, ours: false, version: undefined };
}

/**
 * Throws if a socket uses another congestion control than `usable`. `what`: name of the socket in the error, such as "a
 * flow of iperf3".
 */
export function requireUsed(
  { name, version }: Usable,
  sockets: readonly { congestionControl: string; version: string | undefined }[],
  what: string,
  code: ErrorCode,
): void {
  for (const socket of sockets) {
    if (socket.congestionControl !== name)
      throw new CoexistError(code, `${what} uses ${socket.congestionControl}, not ${name}`);
    if (version !== undefined && socket.version !== version)
      throw new CoexistError(code, `${what} says version ${socket.version ?? 'nothing'}, not ${version}`);
  }
}

/**
 * Returns the name of the kernel's own BBRv3: "bbr" if the kernel's BBR reports version 3, or a "bbr3" that is not this
 * project's.
 */
async function nameOfKernelBbr3(host: Host): Promise<string> {
  if ((await bbrModuleVersion(host)) === '3') return 'bbr';
  const isOffered = (await availableCongestionControls(host)).includes(bbr3Name);
  if (isOffered && (await registeredBbr3(machineOf(host))) === undefined) return bbr3Name;
  throw new CoexistError('missing-congestion-control', 'this kernel has no BBRv3 of its own', {
    hint: `mainline Linux has BBRv1 only, under the name bbr; "${bbr3Name}" loads one that follows the IETF's draft`,
  });
}

/** Returns the version that the kernel's module tcp_bbr reports; undefined if it reports none, as in mainline Linux. */
async function bbrModuleVersion(host: Host = localHost): Promise<string | undefined> {
  try {
    return (await host.read('/sys/module/tcp_bbr/version')).trim();
  } catch {
    return undefined;
  }
}

/**
 * Returns the label of a kernel's congestion control, and the evidence for it. `name` and `version`: as `ss` prints
 * them for a socket.
 */
export function labelOf(
  name: string,
  version: string | undefined,
  moduleVersion: string | undefined,
): { label: string; evidence: string } {
  const socket = `ss -tin shows "${name}"${version === undefined ? '' : ` with version:${version}`}`;
  if (name !== 'bbr') return { label: congestionTitle(name), evidence: socket };
  if (version !== undefined) return { label: `BBRv${version}`, evidence: socket };
  if (moduleVersion !== undefined)
    return { label: `BBRv${moduleVersion}`, evidence: `${socket}; the kernel's tcp_bbr says version ${moduleVersion}` };
  return { label: 'BBRv1', evidence: `${socket}; the kernel's tcp_bbr tells no version, as mainline's v1` };
}

export async function labelSocket(
  name: string,
  version: string | undefined,
  host: Host = localHost,
): Promise<{ label: string; evidence: string }> {
  return labelOf(name, version, await bbrModuleVersion(host));
}
