/** Formats estimated durations for people. */

/** Rounds an estimate in ms and formats it: 42 500 -> "45 s", 137 000 -> "2 min 15 s", 11 100 000 -> "3 h 5 min". */
export function formatEstimate(ms: number): string {
  if (ms < 60e3) return `${Math.ceil(ms / 5e3) * 5} s`;
  return ms < 3600e3 ? inSixties(Math.round(ms / 5e3) * 5, 'min', 's') : inSixties(Math.round(ms / 60e3), 'h', 'min');
}

function inSixties(count: number, whole: string, rest: string): string {
  return `${Math.floor(count / 60)} ${whole}${count % 60 === 0 ? '' : ` ${count % 60} ${rest}`}`;
}
