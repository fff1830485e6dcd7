/**
 * Test if this machine can give the clients of a trial access to the Internet. It opens an uplink, and a connection
 * from a host behind the uplink.
 */
import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { Lease } from '../../core/system/lease.ts';
import { hostAddress, namespaceOf, rightSubnet } from './legs.ts';
import { NamespaceHost, removeNamespaces } from './namespace-host.ts';
import { refusedNetworks, refuser } from './refused-networks.ts';
import { defaultDevice, Uplink, type UplinkOptions } from './uplink.ts';

type Target = { host: string; port: number };

/** Longest time for the probe program, ms; its own timeout is shorter. */
const probeMs = 20_000;
const clientAddress = hostAddress(rightSubnet);

/**
 * Connects to `host` from behind an uplink. Throws `no-internet` with the reason if that fails. Removes everything that
 * it created.
 */
export async function tryInternet({ host, port }: Target, options: UplinkOptions): Promise<void> {
  await defaultDevice();
  const { address } = await lookup(host, 4).catch((error: unknown) => {
    throw new CoexistError('no-internet', `the name ${host} does not resolve on this machine`, {
      hint: 'see whether the machine is connected, and what its /etc/resolv.conf names',
      cause: error,
    });
  });
  if (!isIPv4(address))
    throw new CoexistError('no-internet', `${host} has no IPv4 address, and the test network has no IPv6`, {
      hint: 'give the name of a host that has an IPv4 address',
    });
  if (!options.privateToo && refuser(await refusedNetworks())(address)) {
    throw new CoexistError(
      'no-internet',
      `${host}${host === address ? ' is' : ` is ${address},`} an address of a private network, which is closed to live services`,
      {
        hint: 'if you trust the page with that network, allow it with --set run.privateNetworks=true',
      },
    );
  }
  const lease = Lease.open();
  const namespace = namespaceOf(lease, 'router');
  try {
    lease.addNamespace(namespace);
    await run(['ip', 'netns', 'add', namespace], {
      code: 'missing-kernel-feature',
      hint: 'network namespaces need root',
    });
    const router = new NamespaceHost('router', namespace, lease);
    // one namespace is router and client
    await router.run(['ip', '-batch', '-'], { input: `link set dev lo up\naddr add ${clientAddress}/32 dev lo\n` });
    const uplink = await Uplink.open(lease, [], options);
    try {
      await router.run(['ip', 'route', 'add', 'default', 'via', uplink.gateway, 'src', clientAddress]);
      const { status, stderr } = await router.run(
        [
          process.execPath,
          fileURLToPath(new URL('./internet-probe.ts', import.meta.url)),
          uplink.gateway,
          host,
          String(port),
        ],
        { allowFailure: true, timeoutMs: probeMs },
      );
      if (status !== 0) {
        throw new CoexistError(
          'no-internet',
          `a client behind this machine cannot reach ${host} port ${port}: ${stderr.trim().split('\n').at(-1) ?? ''}`,
          {
            hint: 'see whether the machine itself reaches it, and whether a firewall on it refuses to forward',
          },
        );
      }
    } finally {
      await uplink.close();
    }
  } finally {
    await removeNamespaces([namespace]);
    lease.release();
  }
}
