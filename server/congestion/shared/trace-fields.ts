/** Descriptions of the values that several controllers trace. */
const usualFields = {
  targetBps: 'rate for the encoder',
  pacingBps: 'rate at which the pacer may send',
  paddingBps: 'rate up to which padding may fill what the media leaves empty',
  ackedBps: 'rate at which packets arrived',
  windowBytes: 'congestion window; 0 for none',
  flightBytes: 'in flight, as the controller counts it',
  queueDelayMs: 'queue delay',
  queueDelayTargetMs: 'queue delay that it aims at',
  lossRatio: 'share of packets that were lost',
  lossEventRatio: 'share of feedback intervals with a loss',
  reorderingMs: 'how long it waits for packets out of order',
} as const;

type UsualField = keyof typeof usualFields;

/** Returns the descriptions with these names, for `traceFields` of a plug-in. */
export function usual(...names: UsualField[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, usualFields[name]]));
}
