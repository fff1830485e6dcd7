/** Answers of the services' pages, as real pages give them. */
import type { CallerDrain, PageDrain, TransferDrain, VideoDrain } from '../../../../../client/wire.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import { presented } from '../../support/record.ts';

const vitals = { mainThreadDelayMaxMs: 4.5, visible: true };
const candidatePair = { id: 'CP1', nominated: true, priority: 9079290933576466000, currentRoundTripTime: 0.01 };

export function viewerDrain(timeMs = nowMs()): PageDrain {
  return {
    status: { state: 'playing', failure: null, presentedFrames: 2 },
    frames: [presented(timeMs - 17, 1, 2 ** 32 - 1), { ...presented(timeMs, 2), receiveMs: null, processingMs: null }],
    heard: [{ timeMs, pcm: 'AAD/fw==' }],
    stats: {
      timeMs,
      inbound: { id: 'IT01V1', kind: 'video', bytesReceived: 14_928, packetsReceived: 18, framesPerSecond: 60 },
      candidatePair,
      remoteOutbound: null,
    },
    events: [{ timeMs, type: 'connectionstatechange', value: '"connected"' }],
    ...vitals,
  };
}

export function callerDrain(timeMs = nowMs()): CallerDrain {
  return {
    timeMs,
    state: 'connected',
    outbound: { encoderImplementation: 'OpenH264', targetBitrate: 1e6, bytesSent: 14_928, active: true },
    outboundAudio: { kind: 'audio', targetBitrate: 32e3, bytesSent: 4200 },
    candidatePair,
    remoteInbound: null,
    cpuLimitedS: 0,
    spoken: [{ timeMs, pcm: 'AAD/fw==' }],
    events: [{ timeMs, type: 'createOffer', value: '' }],
    ...vitals,
  };
}

export function transferDrain(timeMs = nowMs()): TransferDrain {
  return {
    timeMs,
    receivedBytes: 2e6,
    batches: [{ number: 1, endMs: timeMs - 5, durationMs: 480.5, bytes: 1_500_000 }],
    failure: null,
    ...vitals,
  };
}

export function videoDrain(timeMs = nowMs()): VideoDrain {
  return {
    timeMs,
    startupMs: 640.25,
    positionS: 3.5,
    bufferS: 12,
    rung: 2,
    receivedBytes: 2e6,
    stallCount: 1,
    stalledMs: 200,
    openStallMs: 0,
    presentedFrames: 104,
    droppedFrames: 1,
    segments: [{ endMs: timeMs - 5, number: 1, rung: 2, bytes: 450_000, firstByteMs: 51, durationMs: 480.5 }],
    stalls: [{ endMs: timeMs - 900, positionS: 1.25, durationMs: 200 }],
    protocols: ['http/1.1'],
    failure: null,
    ...vitals,
  };
}
