/** Where things are in this checkout. */
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../', import.meta.url));
/** Things that set-up made and that can be made again: the generated clip, stamps. */
export const cacheDirectory = fileURLToPath(new URL('../.cache/', import.meta.url));
export const runsDirectory = fileURLToPath(new URL('../runs/', import.meta.url));
