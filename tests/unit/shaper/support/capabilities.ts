/** Capabilities of a machine that can do everything. */
import type { Capabilities } from '../../../../shaper/backend/capabilities.ts';

const able = async () => null;

export const canAll: Capabilities = {
  qdisc: able,
  netem: able,
  line: able,
  loss: able,
  shells: able,
  shellsAround: able,
  queueLog: able,
};
