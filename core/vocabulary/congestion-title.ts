/** Titles of TCP congestion controls, for text that people read. */

/** Names that are not abbreviations, and names that are not the kernel's. */
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

/** "cubic" -> "CUBIC". "bbr" gets no version, because only the kernel knows it. */
export const congestionTitle = (name: string): string => titles.get(name) ?? name.toUpperCase();
