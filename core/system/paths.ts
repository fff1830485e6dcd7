/** Paths in this checkout. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
/** Folder for files that set-up made and can make again: the generated clip, stamps. */
export const cacheFolder = fileURLToPath(new URL('../../.cache/', import.meta.url));
/**
 * Folder of the runs: in the directory in which an installed package was called (harness/setup/package-bin.mjs),
 * otherwise in the checkout.
 */
export const runsFolder = join(process.env['COEXIST_DIRECTORY'] || projectRoot, 'runs/');
