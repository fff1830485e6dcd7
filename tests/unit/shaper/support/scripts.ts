/** Scripts of a fake host that say what native programs say. */

export const ready = 'echo \'{"ready":true}\'';

/** It is ready, runs until it is ended, and then does so. */
export const untilEnded = (end: string): string =>
  `trap '${end}; exit 0' TERM; ${ready}; while :; do read -r word || { ${end}; exit 0; }; done`;
