/**
 * Four services that differ in the properties that matter according to the paper: real time, loss-based, model-based,
 * and a batch of flows. One trial of each pair.
 */
import { definePairs } from '../define.ts';

export default definePairs({
  title: 'Four services, pair by pair, once each',
  services: ['live-clip', 'iperf-cubic', 'iperf-bbr', 'batch-download'],
  links: ['8mbit'],
  within: '24min',
  run: { warmUp: '10s', coolDown: '0s', stopping: 'fixed', repeats: 1, soloRepeats: 1, retries: 1 },
});
