/**
 * Offloads that would put more than one packet of the wire into one place of the queue, or break its checksum
 * (ethtool(8)).
 */

/** By ethtool's short names. */
export const offloads = ['tso', 'gso', 'gro', 'tx', 'rx', 'sg'] as const;

const featureNames: Record<(typeof offloads)[number], string> = {
  tso: 'tcp-segmentation-offload',
  gso: 'generic-segmentation-offload',
  gro: 'generic-receive-offload',
  tx: 'tx-checksumming',
  rx: 'rx-checksumming',
  sg: 'scatter-gather',
};

/** The offloads that `ethtool -k` reports as on, of those that must be off. */
export function enabledOffloads(text: string): string[] {
  return offloads.filter(name => new RegExp(`^${featureNames[name]}: on`, 'm').test(text));
}
