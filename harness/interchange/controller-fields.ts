/** Names in the traces of the controllers (server/congestion): what each of them says of itself. */
import { bps, bytes, count, ms, packets, ratio, text, time } from './field.ts';
import type { Field } from './field.ts';

export const controllerFields: Record<string, Field> = {
  timeMs: time('when the feedback came, or 100 ms after the last line'),
  inFlightBytes: bytes('sent and not yet told of; not there where the receiver tells of no packets (remb)'),
  // several controllers
  targetBps: bps('rate for the encoder'),
  pacingBps: bps('rate at which the pacer may send'),
  paddingBps: bps('rate up to which padding may fill what the media leaves empty'),
  estimateBps: bps('estimate of the path: by delay and losses (gcc), of the bottleneck bandwidth (webrtc-bbr)'),
  ackedBps: bps(
    "rate at which packets arrived: the controller's own (gcc, nada, scream), else by the feedback of the last second; not there before the first feedback",
  ),
  windowBytes: bytes('congestion window; 0 for none'),
  flightBytes: bytes('in flight, as the controller counts it'),
  rttMs: ms('round trip: the newest (gcc, nada), smoothed (scream, scream-v2)'),
  minRttMs: ms(
    "shortest round trip of packet and feedback: the controller's own (copa, webrtc-bbr), else of the last 10 s; 0 or not there for none yet",
  ),
  queueDelayMs: ms('queue delay'),
  queueDelayTargetMs: ms('queue delay that it aims at'),
  lossRatio: ratio('share of packets that were lost'),
  lossEventRatio: ratio('share of feedback intervals with a loss'),
  reorderingMs: ms('how long it waits for packets out of order'),
  mode: text('mode of the algorithm (copa, nada)'),
  // gcc
  delayBasedBps: bps('rate that the delay alone allows'),
  linkCapacityBps: bps('capacity learnt from over-use; 0 for none'),
  trendMs: ms('trend of the delay, as it is compared with the threshold'),
  thresholdMs: ms('threshold of over-use'),
  modelLossRatio: ratio('loss of the loss model'),
  inherentLossRatio: ratio("loss that is the path's own, by the loss model"),
  pushbackRatio: ratio('share of the rate that the congestion window leaves to the encoder'),
  inAlr: count('1 while the application sends less than it may'),
  usage: text('normal, over-use or under-use of the path'),
  rateState: text('state of the rate control by delay'),
  lossState: text('state of the rate control by loss'),
  probeState: text('state of the probing'),
  // copa
  queueTargetBps: bps('rate that the queueing delay allows'),
  windowPackets: packets('congestion window'),
  standingRttMs: ms('shortest round trip of the last half one'),
  loopMs: ms('round trip of packet and feedback'),
  inverseDeltaPackets: packets('queue that it aims to keep (1 / delta)'),
  velocityGain: count('velocity by which the window moves'),
  // nada
  referenceBps: bps('reference rate'),
  warpedDelayMs: ms('queue delay after warping'),
  signalMs: ms('aggregate congestion signal'),
  markRatio: ratio('share of packets that were marked'),
  lossIntervalPackets: packets('average of the loss intervals; 0 for none'),
  // remb
  receiverEstimateBps: bps('estimate of the receiver; 0 for none yet'),
  // scream, scream-v2
  queueTrendRatio: ratio('trend of the queue delay'),
  queueTrendMemoryRatio: ratio('memory of that trend'),
  transmitBps: bps('rate at which packets left'),
  mediaBps: bps('rate of the media'),
  inFastIncrease: count('1 in fast increase'),
  averageQueueDelayMs: ms('average of the queue delay'),
  markedRatio: ratio('share of packets that were marked, as L4S smooths it'),
  // webrtc-bbr
  pacingGain: count('gain on the bandwidth for pacing'),
  roundCount: count('round trips since the start'),
  probeRttCount: count('probes of the round trip so far'),
  skippedProbeRttCount: count('such probes that were not needed'),
  isFullBandwidth: count('1 once the start-up has filled the pipe'),
  isAppLimited: count('1 while the application sends too little to measure'),
  state: text('state of the algorithm'),
  recoveryState: text('state of the recovery'),
  variant: text('variant of the algorithm'),
};
