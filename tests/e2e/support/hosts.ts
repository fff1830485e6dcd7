/**
 * Two senders, a client and the link between them, shared by all tests of the file that imports this: made before the
 * first, gone after the last.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Lease } from '../../../core/system/lease.ts';
import type { ShapedLink } from '../../../shaper/backend/shaped-link.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { shapedLinkOf } from './links.ts';
import { cannotRun } from './run-command.ts';
import type { TwoSenders } from './two-senders.ts';

/** A folder for what tests write, and for what the run has on the machine. */
export const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));

/** Not there where end-to-end tests cannot run. */
export let lease: Lease;
export let dumbbell: TwoSenders;
export let shapedLink: ShapedLink;

before(async () => {
  if (cannotRun !== undefined) return;
  lease = Lease.open(state);
  dumbbell = await Dumbbell.build(lease, twoSenders);
  shapedLink = shapedLinkOf(dumbbell);
});

after(async () => {
  await shapedLink?.clear();
  await dumbbell?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});
