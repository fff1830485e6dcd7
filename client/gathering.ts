/**
 * Waits for ICE candidates. Resolves when a connection has all its candidates, or after `patienceMs`, so that offers
 * and answers are complete.
 */
const patienceMs = 3000;

export function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise(resolve => {
    if (peer.iceGatheringState === 'complete') return resolve();
    peer.addEventListener('icegatheringstatechange', () => {
      if (peer.iceGatheringState === 'complete') resolve();
    });
    setTimeout(resolve, patienceMs);
  });
}
