/** The account of an application that was not started, or not yet. */
import type { ApplicationFile } from './trial-file.ts';

export const neverBegun = (name: string, addresses: ApplicationFile['addresses']): ApplicationFile => ({
  name,
  addresses,
  startMs: null,
  readyMs: null,
  stopMs: null,
  clocks: null,
  facts: null,
  transport: null,
  received: null,
});
