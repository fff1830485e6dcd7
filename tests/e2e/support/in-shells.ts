/**
 * Runs inside shells of mahimahi that a test has started: measures them as a link outside, and prints what it found as
 * JSON. Its argument is a folder for what the run has on the machine.
 */

import { Lease } from '../../../core/system/lease.ts';
import { plainLink } from '../../../core/vocabulary/link.ts';
import { preflightLink } from '../../../shaper/backend/preflight-link.ts';
import { runPreflight } from '../../../shaper/calibrate/preflight.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { shapedLinkOf } from './links.ts';

const [, , state] = process.argv;
const lease = Lease.open(state!);
const dumbbell = await Dumbbell.build(lease, twoSenders);
const shapedLink = shapedLinkOf(dumbbell);
const link = { ...plainLink(6e6, { unit: 'packets', value: 100 }), backend: 'outside' } as const;
try {
  const backend = await shapedLink.set(link, 1);
  await shapedLink.verify();
  const [server] = dumbbell.left;
  await server!.host.run(['ping', '-q', '-c', '10', '-i', '0.05', dumbbell.right[0]!.address]);
  const counters = await shapedLink.counters();
  const second = await shapedLinkOf(dumbbell).set(link, 1).catch(String);
  const { status, readings, findings } = await runPreflight(preflightLink(shapedLink, link, backend, 1, dumbbell), {
    ...dumbbell,
    scratch: state!,
  });
  await shapedLink.clear();
  console.log(JSON.stringify({ counters, second, status, readings, findings }));
} finally {
  await dumbbell.remove();
  lease.release();
}
