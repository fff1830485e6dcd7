/** What `--queue local` has on the machine, and a study that runs over it. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Place, short } from './run-command.ts';

/** Folders of its databases. */
export const servers = () => readdirSync(tmpdir()).filter(name => name.startsWith('coexist-queue-'));

/** Starts one whose link is not proved; `more`: settings. */
export const startOverQueue = (place: Place, ...more: string[]) =>
  place.start([
    'experiment',
    ...short,
    ...['run.preflight=false', ...more].flatMap(setting => ['--set', setting]),
    '--out',
    place.out,
    '--queue',
    'local',
  ]);
