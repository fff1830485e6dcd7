/** What `--queue local` has on the machine, and a study that runs over it. */
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { below, ofRunning } from '../../unit/support/process-tree.ts';
import { type Place, type Session, short } from './run-command.ts';

/** Folders of its databases. */
export const servers = () => readdirSync(tmpdir()).filter(name => name.startsWith('coexist-queue-'));

/** The folder of the database of a study that runs. */
export const serverOf = ({ process }: Session): string =>
  below(process.pid!)
    .map(pid => ofRunning(() => readlinkSync(`/proc/${pid}/cwd`), ''))
    .find(folder => basename(folder).startsWith('coexist-queue-'))!;

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
