import assert from 'node:assert/strict';
import { createSecretKey, KeyObject } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { RTCPeerConnection, SrtcpSession, SrtpSession } from 'werift';
import { aeadAes128Gcm } from '../../../../server/transport/srtp-profile.ts';
import {
  askNoStunServer,
  offerGcmOnly,
  takeLateConsent,
  takeRtcp,
  useKeyObject,
} from '../../../../server/transport/werift-internals.ts';

const key = Buffer.alloc(16, 1);
const salt = Buffer.alloc(12, 2);
const keys = { localMasterKey: key, localMasterSalt: salt, remoteMasterKey: key, remoteMasterSalt: salt };

/** A transceiver of the installed werift with the sessions of a connection. */
function connected(t: TestContext) {
  const peer = new RTCPeerConnection({ iceServers: [] });
  t.after(() => peer.close());
  const transceiver = peer.addTransceiver('video');
  const { dtlsTransport } = transceiver;
  dtlsTransport.srtp = new SrtpSession({ keys, profile: aeadAes128Gcm });
  dtlsTransport.srtcp = new SrtcpSession({ keys, profile: aeadAes128Gcm });
  const { srtp, srtcp, iceTransport } = dtlsTransport;
  return { transceiver, dtlsTransport, cipher: srtp.localContext.cipher, srtcp, connection: iceTransport.connection };
}

// an update of werift that renames a field fails here with its name, or in peer.test.ts: `nominated.rtt`
test('the installed werift has every field that is changed, and without it the change names it', t => {
  const parts = connected(t);
  const changes = [
    ['srtpProfiles', parts.dtlsTransport, () => offerGcmOnly(parts.transceiver)],
    ['stunServer', parts.connection, () => askNoStunServer(parts.transceiver)],
    ['srtpSessionKey', parts.cipher, () => useKeyObject(parts.transceiver)],
    ['decrypt', parts.srtcp, () => takeRtcp(parts.transceiver, () => {})],
    ['consentRequestAbort', parts.connection, () => takeLateConsent(parts.transceiver)],
  ] as const;
  for (const [field, owner, change] of changes) {
    assert.ok(field in owner, field);
    if (field !== 'consentRequestAbort') change();
    Reflect.deleteProperty(owner, field);
    assert.throws(change, {
      message: new RegExp(`^this version of werift has no \\w+\\.${field}: .*werift-internals`),
    });
  }
});

test('the session key becomes a key object, once', t => {
  const { transceiver, cipher } = connected(t);
  const before = cipher.srtpSessionKey;
  for (let times = 0; times < 2; times++) useKeyObject(transceiver);
  const now: unknown = cipher.srtpSessionKey;
  assert.ok(now instanceof KeyObject && now.equals(createSecretKey(before)));
});
