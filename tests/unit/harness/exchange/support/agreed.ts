/** Makes connection.jsonl of a viewer that requested a stream and received it. */

import type { RecordOf } from '../../../../../harness/record/schema/series.ts';
import type { connectionSeries } from '../../../../../harness/record/series/connection.ts';

const sdp = (setup: string) =>
  `v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=setup:${setup}\r\n`;
export const offerSdp = sdp('actpass');
export const answerSdp = sdp('active');
export const candidate = {
  candidate: 'candidate:1 1 udp 2113937151 10.0.2.2 40000 typ host',
  sdpMid: '0',
  sdpMLineIndex: 0,
};

const event = (timeMs: number, type: string, value: unknown = ''): RecordOf<typeof connectionSeries> => ({
  timeMs,
  end: 'receiver',
  type,
  value: value === '' ? '' : JSON.stringify(value),
});

export const agreed: readonly RecordOf<typeof connectionSeries>[] = [
  event(6001, 'createOffer'),
  event(6002, 'createOfferOnSuccess', { type: 'offer', sdp: offerSdp }),
  event(6002, 'setLocalDescription', { type: 'offer', sdp: offerSdp }),
  event(6003, 'icecandidate', candidate),
  event(6010, 'setRemoteDescription', { type: 'answer', sdp: answerSdp }),
  event(6010, 'ontrack', ['video', 'track-1', 'track-1', 'stream-1']),
  event(6050, 'connectionstatechange', 'connected'),
];
