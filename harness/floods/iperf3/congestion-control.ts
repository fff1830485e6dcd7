/**
 * Which TCP congestion control really runs, and what it may be called.
 *
 * Mainline Linux has BBR version 1 under the name "bbr"; patched kernels have version 3 under the same
 * name. So "bbr" is labelled by what the kernel tells of its version, and a flow is called v3 only when the kernel said 3.
 */
import { readFile } from 'node:fs/promises';
import { CoexistError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';

/** Names that the kernel offers now. */
export async function availableCongestionControls(): Promise<string[]> {
  return (await readFile('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8')).trim().split(/\s+/);
}

/** Throws `missing-congestion-control` where the kernel does not offer it. */
export async function requireCongestionControl(name: string): Promise<void> {
  const available = await availableCongestionControls();
  if (available.includes(name)) return;
  const meant = nearest(name, available);
  throw new CoexistError('missing-congestion-control', `this kernel has no congestion control "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`, {
    hint: name === 'bbr3' ? `mainline Linux has BBRv1 only, under the name bbr; available here: ${available.join(', ')}`
      : `available here: ${available.join(', ')}; "modprobe tcp_${name}" may load it`,
  });
}

/** The version that the kernel's tcp_bbr tells of itself; mainline's tells none. */
async function bbrModuleVersion(): Promise<string | undefined> {
  try {
    return (await readFile('/sys/module/tcp_bbr/version', 'utf8')).trim();
  } catch {
    return undefined;
  }
}

/** The label of a congestion control read from a socket, with the evidence for it. `version` is what the socket printed, if anything. */
export function labelOf(name: string, version: string | undefined, moduleVersion: string | undefined): { label: string; evidence: string } {
  const socket = `ss -tin shows "${name}"`;
  if (name !== 'bbr') return { label: name === 'bbr3' ? 'BBRv3' : name.toUpperCase(), evidence: socket };
  if (version !== undefined) return { label: `BBRv${version}`, evidence: `${socket} with version:${version}` };
  if (moduleVersion !== undefined) return { label: `BBRv${moduleVersion}`, evidence: `${socket}; the kernel's tcp_bbr says version ${moduleVersion}` };
  return { label: 'BBRv1', evidence: `${socket}; the kernel's tcp_bbr tells no version, as mainline's v1` };
}

export async function labelSocket(name: string, version: string | undefined): Promise<{ label: string; evidence: string }> {
  return labelOf(name, version, await bbrModuleVersion());
}
