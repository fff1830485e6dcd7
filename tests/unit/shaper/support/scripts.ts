/** Scripts of a fake host that print the output of native programs. */

export const ready = 'echo \'{"ready":true}\'';

/** Prints that it is ready, runs until the end is requested, then runs `end`. */
export const untilEnded = (end: string): string =>
  `trap '${end}; exit 0' TERM; ${ready}; while :; do read -r word || { ${end}; exit 0; }; done`;
