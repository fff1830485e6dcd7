/**
 * What every backend has to keep: one of the kernel's, and the emulator. The others, which have parts of these:
 * tests/long.
 */
import { keepsItsLink } from './support/backend-tests.ts';

for (const backend of ['tc', 'emulator'] as const) keepsItsLink(backend);
