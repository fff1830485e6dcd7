/** Titles of TCP congestion controls in text for people. */

/** Titles of the congestion controls whose title is not the kernel's name in capitals. */
const titles = new Map([
  ['reno', 'Reno'],
  ['vegas', 'Vegas'],
  ['veno', 'Veno'],
  ['westwood', 'Westwood'],
  ['hybla', 'Hybla'],
  ['illinois', 'Illinois'],
  ['bbr3', 'BBRv3'],
  ['bbr3-kernel', 'BBRv3'],
  ['dctcp-like', 'DCTCP-like'],
  ['dctcp_like', 'DCTCP-like'],
]);

/**
 * Returns the title of a congestion control: "CUBIC" for "cubic". "bbr" gets no version, because only the kernel knows
 * which version it has.
 */
export const congestionTitle = (name: string): string => titles.get(name) ?? name.toUpperCase();
