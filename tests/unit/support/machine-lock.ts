/**
 * A lock for tests that change what a machine has only once, such as the congestion controls of its kernel: two runs of
 * the tests beside each other take turns. It is a name of a local socket without a file (unix(7), abstract), which the
 * kernel frees when the process ends, however it ends.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { systemCode } from '../../../core/errors.ts';
import { until } from '../../../core/system/deadline.ts';

/** Waits for it; the result gives it back. */
export async function machineLock(name: string, waitMs = 240_000): Promise<() => void> {
  const server = await until(() => listening(`\0coexist-tests-${name}`), waitMs, `another test with "${name}" to end`);
  return () => void server.close();
}

async function listening(path: string): Promise<Server | undefined> {
  const server = createServer(socket => socket.destroy()).listen(path);
  try {
    await once(server, 'listening');
    return server.unref();
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}
