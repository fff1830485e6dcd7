/** A host on which a script stands in for a native program. */
import type { Host } from '../../../../core/host.ts';
import { localHost } from '../../../../core/local-host.ts';

/** That host, and the words with which that was started. */
export function standIn(script: string): { host: Host; started: string[][] } {
  const started: string[][] = [];
  const start: Host['start'] = (name, argv, options) => {
    started.push([...argv]);
    return localHost.start(name, ['sh', '-c', script], options);
  };
  return { host: { ...localHost, start }, started };
}

export const ready = 'echo \'{"ready":true}\'';
/** Runs until it is ended, and then does so. */
export const until = (end: string) =>
  `trap '${end}; exit 0' TERM; ${ready}; while :; do read -r word || { ${end}; exit 0; }; done`;
