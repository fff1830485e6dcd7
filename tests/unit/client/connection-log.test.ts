import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionEvent } from '../../../client/wire.ts';

type Description = { type: string; sdp: string };
type Log = {
  offer(): Promise<void>;
  answer(): Promise<void>;
  accept(description: Description): Promise<void>;
  drain(): ConnectionEvent[];
};

// imported at run time, because the module uses browser types that tests lack
const { ConnectionLog } = (await import(new URL('../../../client/connection-log.ts', import.meta.url).href)) as {
  ConnectionLog: new (peer: EventTarget) => Log;
};

/** A peer connection that accepts every description except "rubbish". */
class Peer extends EventTarget {
  signalingState = 'stable';
  iceGatheringState = 'new';
  iceConnectionState = 'new';
  connectionState = 'new';
  localDescription: unknown;
  createOffer = async () => ({ sdp: 'v=0 offer', type: 'offer' });
  createAnswer = async () => ({ sdp: 'v=0 answer', type: 'answer' });
  async setLocalDescription(description: unknown) {
    this.localDescription = description;
  }
  async setRemoteDescription({ sdp }: { sdp: string }) {
    if (sdp === 'rubbish') throw new Error('it is rubbish');
  }
  tell(type: string, more: object = {}) {
    this.dispatchEvent(Object.assign(new Event(type), more));
  }
}

function logged(): { peer: Peer; log: Log; drain(): [string, unknown][] } {
  const peer = new Peer();
  const log = new ConnectionLog(peer);
  const drain = () =>
    log.drain().map(({ type, value }): [string, unknown] => [type, value === '' ? '' : JSON.parse(value)]);
  return { peer, log, drain };
}

test('an offer and its answer are made and are in the log, as Chromium has them', async () => {
  const { peer, log, drain } = logged();
  await log.offer();
  assert.deepEqual(peer.localDescription, { type: 'offer', sdp: 'v=0 offer' });
  await log.accept({ type: 'answer', sdp: 'v=0 other' });
  assert.deepEqual(drain(), [
    ['createOffer', ''],
    ['createOfferOnSuccess', { type: 'offer', sdp: 'v=0 offer' }],
    ['setLocalDescription', { type: 'offer', sdp: 'v=0 offer' }],
    ['setLocalDescriptionOnSuccess', ''],
    ['setRemoteDescription', { type: 'answer', sdp: 'v=0 other' }],
    ['setRemoteDescriptionOnSuccess', ''],
  ]);
  await log.answer();
  assert.deepEqual(
    drain().map(([type]) => type),
    ['createAnswer', 'createAnswerOnSuccess', 'setLocalDescription', 'setLocalDescriptionOnSuccess'],
  );
  assert.deepEqual(drain(), [], 'everything is told once');
});

test('candidates, tracks and states are, the end of the candidates is not; descriptions begin with their type', async () => {
  const { peer, log, drain } = logged();
  const candidate = { candidate: 'candidate:1', sdpMid: '0' };
  peer.tell('icecandidate', { candidate: { toJSON: () => candidate } });
  peer.tell('icecandidate', { candidate: null });
  peer.tell('track', { track: { kind: 'video', id: 't', label: 'l' }, streams: [{ id: 's' }] });
  peer.connectionState = 'connected';
  peer.tell('connectionstatechange');
  assert.deepEqual(drain(), [
    ['icecandidate', candidate],
    ['ontrack', ['video', 't', 'l', 's']],
    ['connectionstatechange', 'connected'],
  ]);
  await log.offer();
  const value = log.drain().find(({ type }) => type === 'setLocalDescription')!.value;
  assert.ok(value.startsWith('{"type":'), value);
});

test('a call that fails is in the log with its reason, and fails', async () => {
  const { log, drain } = logged();
  await assert.rejects(log.accept({ type: 'answer', sdp: 'rubbish' }), /it is rubbish/);
  assert.deepEqual(drain().at(-1), ['setRemoteDescriptionOnFailure', 'Error: it is rubbish']);
});
