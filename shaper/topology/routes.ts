/** Checks that hosts reach each other through the router only: asks the kernel, and sends packets. */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { ipRoutes, readIpJson } from '../../core/system/ip-json.ts';
import { counted } from '../../core/text/counted.ts';

type Asked = Pick<Host, 'name' | 'run'>;
type End = { host: Asked; address: string };
type Ping = { from: End; to: End; routers: number };

const refuse = (what: string) => new CoexistError('link-refused', `route check: ${what}`);
/** TTL with which packets usually start. */
const usualTtl = 64;

/** Throws `link-refused` if the kernel of `host` would send packets to one of `ends` by another router than `via`. */
export async function checkRoutesOf(host: Asked, ends: readonly Pick<End, 'address'>[], via: string): Promise<void> {
  const { stdout } = await host.run(['ip', '-j', '-batch', '-'], {
    input: ends.map(({ address }) => `route get ${address}`).join('\n'),
    code: 'link-refused',
  });
  const answers = stdout.split('\n').filter(line => line !== '');
  for (const [k, { address }] of ends.entries()) {
    const [route] = readIpJson(answers[k] ?? '', ipRoutes, 'link-refused');
    const redirected = [...(route?.flags ?? []), ...(route?.cache ?? [])].includes('redirected');
    if (route?.gateway !== via || redirected) {
      const by = redirected ? 'an ICMP redirect' : (route?.gateway ?? 'a direct link');
      throw refuse(`${host.name} would reach ${address} by ${by} instead of the router ${via}`);
    }
  }
}

/**
 * Throws `link-refused` if packets from the host to its own address would leave the host, since they might then enter
 * the queue.
 */
export async function checkOwnRoute(host: Asked, address: string): Promise<void> {
  const { stdout } = await host.run(['ip', '-j', 'route', 'get', address], { code: 'link-refused' });
  const [route] = readIpJson(stdout, ipRoutes, 'link-refused');
  if (route?.dev !== 'lo')
    throw refuse(`${host.name} would reach itself by ${route?.dev ?? 'no device'}, not by its loopback`);
}

/** Returns pairs of hosts on both sides with one router between them, so that all hosts take part. */
export const pairsOf = (left: readonly End[], right: readonly End[]): Ping[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, k) => ({
    from: left[k % left.length]!,
    to: right[k % right.length]!,
    routers: 1,
  }));

/** Makes hosts ping others. Throws `link-refused` if a reply has not passed exactly `routers` routers. */
export async function checkPings(pings: readonly Ping[]): Promise<void> {
  await Promise.all(
    pings.map(async ({ from, to, routers }) => {
      const expectedTtl = usualTtl - routers;
      const { status, stdout } = await from.host.run(['ping', '-n', '-c', '1', '-W', '2', to.address], {
        allowFailure: true,
      });
      const ttl = Number(/ttl=(\d+)/.exec(stdout)?.[1]);
      if (status !== 0 || ttl !== expectedTtl) {
        const outcome =
          status === 0
            ? `came back with TTL ${ttl}, not over exactly ${counted(routers, 'router')} (${expectedTtl})`
            : 'was not answered';
        throw refuse(`ping from ${from.host.name} to ${to.host.name} ${outcome}`);
      }
    }),
  );
}
