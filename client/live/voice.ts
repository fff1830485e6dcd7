/**
 * Reads what the browser counts of the audio that the connections of a third-party page receive. Only the page's own
 * scripts hold these connections. So the harness adds this code to every frame in the page's own world, before the page's
 * scripts, and it has no imports. A connection is known from the time at which it gets its remote description.
 */
import type { AudioReading } from '../wire.ts';

{
  /** Maximum number of connections that are read; the newest ones stay. */
  const mostConnections = 16;
  const frame = Math.random().toString(36).slice(2);
  const connections = new Map<RTCPeerConnection, number>();
  let number = 0;

  // what the page's scripts change later has no effect here
  const prototype = globalThis.RTCPeerConnection?.prototype;
  const { setRemoteDescription, getStats } = prototype ?? {};
  const { apply } = Reflect;

  if (prototype !== undefined)
    prototype.setRemoteDescription = function (this: RTCPeerConnection, ...given: unknown[]) {
      if (!connections.has(this)) connections.set(this, number++);
      if (connections.size > mostConnections) connections.delete(connections.keys().next().value!);
      return apply(setRemoteDescription!, this, given);
    };

  const read = async (): Promise<AudioReading[]> => {
    const readings: AudioReading[] = [];
    for (const [connection, place] of connections) {
      if (connection.connectionState === 'closed') {
        connections.delete(connection);
        continue;
      }
      const report: RTCStatsReport = await apply(getStats!, connection, []);
      report.forEach(entry => {
        if (entry.type !== 'inbound-rtp' || entry.kind !== 'audio') return;
        readings.push({
          stream: `${frame}-${place}-${entry.ssrc}`,
          packetsReceived: entry.packetsReceived,
          totalSamplesReceived: entry.totalSamplesReceived ?? 0,
          concealedSamples: entry.concealedSamples ?? 0,
          concealmentEvents: entry.concealmentEvents ?? 0,
        });
      });
    }
    return readings;
  };
  Object.defineProperty(globalThis, 'coexistAudio', { value: read });
}
