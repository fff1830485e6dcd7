/**
 * Waits until a connection has all its ICE candidates, so that its offer or answer is complete. Waits at most
 * `patienceMs`.
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
