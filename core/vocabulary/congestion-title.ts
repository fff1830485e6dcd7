/** Names of TCP congestion controls as people write them. */

/** Those whose names are no abbreviations, and those that are not the kernel's. */
const titles = new Map([
  ['reno', 'Reno'],
  ['vegas', 'Vegas'],
  ['veno', 'Veno'],
  ['westwood', 'Westwood'],
  ['hybla', 'Hybla'],
  ['illinois', 'Illinois'],
  ['bbr3', 'BBRv3'],
  ['bbr3-kernel', 'BBRv3'],
]);

/** "cubic" -> "CUBIC"; "bbr" stays without a version, which the kernel alone can tell. */
export const congestionTitle = (name: string): string => titles.get(name) ?? name.toUpperCase();
