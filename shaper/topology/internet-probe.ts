/**
 * Program that resolves a name by one name server and opens a connection to the address found. Arguments: address of
 * the name server, name or address of the target, port.
 */
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';

const [server, host, port] = process.argv.slice(2);
const resolver = new Resolver({ timeout: 3000, tries: 2 });

async function reach(): Promise<void> {
  resolver.setServers([server!]);
  const [address] = isIP(host!) > 0 ? [host!] : await resolver.resolve4(host!);
  const socket = connect({ host: address!, port: Number(port), signal: AbortSignal.timeout(8000) });
  await once(socket, 'connect');
  socket.destroy();
}

try {
  await reach();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
