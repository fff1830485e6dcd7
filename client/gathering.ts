/**
 * Resolves when a connection has all its candidates, or has had time enough to find them: offers and answers go out
 * whole.
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
