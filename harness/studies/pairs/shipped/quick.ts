/**
 * Study of four services that differ in the properties that matter according to the paper: a real-time service, a
 * loss-based and a model-based one, and a batch of flows. Each pair has one trial.
 */
import { definePairs } from '../define.ts';

export default definePairs({
  title: 'Four services, pair by pair, once each',
  services: ['live-clip', 'iperf-cubic', 'iperf-bbr', 'batch-download'],
  links: ['8mbit'],
  within: '24min',
  run: { warmUp: '10s', coolDown: '0s', stopping: 'fixed', repeats: 1, soloRepeats: 1, retries: 1 },
});
