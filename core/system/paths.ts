/** Where things are in this checkout. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
/** Things that set-up made and that can be made again: the generated clip, stamps. */
export const cacheFolder = fileURLToPath(new URL('../../.cache/', import.meta.url));
/** Of the directory in which an installed package was called (harness/setup/package-bin.mjs), else of the checkout. */
export const runsFolder = join(process.env['COEXIST_DIRECTORY'] || projectRoot, 'runs/');
