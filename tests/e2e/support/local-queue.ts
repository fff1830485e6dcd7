/** What `--queue local` has on the machine. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Folders of its databases. */
export const servers = () => readdirSync(tmpdir()).filter(name => name.startsWith('coexist-queue-'));
