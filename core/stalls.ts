/** When a wait for the next frame is a stall, and what a stall or a freeze can be put down to. */

/** "any inter-frame arrival interval exceeding 200 ms" (Juntima et al., section 3.2), ms. */
export const stallThresholdMs = 200;

/** In the order in which a frame meets them. */
export const causes = {
  'sender-host': 'host: sender starved',
  encoder: 'encoder late',
  'rate-decision': "sender's rate control",
  'rate-change': "change of the link's rate by its schedule or trace",
  outage: 'link outage or loss of capacity',
  queue: 'bottleneck queue',
  'link-host': 'host: bottleneck starved',
  'tunnel-queue': "tunnel's send queue",
  'tunnel-window': "tunnel's congestion window",
  'tunnel-recovery': "tunnel's recovery of losses",
  'overflow-loss': 'overflow loss',
  'aqm-loss': 'AQM loss',
  'random-loss': 'random loss',
  repair: 'waiting for repair',
  'key-frame': 'waiting for a key frame',
  'receiver-host': 'host: receiver starved',
  browser: 'browser',
  unknown: 'not known',
} as const;

export type Cause = keyof typeof causes;

export const causeIds = Object.keys(causes) as Cause[];
