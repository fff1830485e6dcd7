/** Whether hosts reach each other over the router and no other way, found by asking the kernel and by sending. */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { ipRoutes, readIpJson } from '../../core/system/ip-json.ts';

type Asked = Pick<Host, 'name' | 'run'>;
type End = { host: Asked; address: string };

const refuse = (what: string) => new CoexistError('link-refused', `route check: ${what}`);
/** What a packet of the usual 64 has left behind one router. */
const ttlBehindRouter = 63;

/** Throws `link-refused` where the host would send to one of the ends otherwise than by `via`. */
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

/** Throws `link-refused` if packets of the host to itself would leave it: then they might meet the queue. */
export async function checkOwnRoute(host: Asked, address: string): Promise<void> {
  const { stdout } = await host.run(['ip', '-j', 'route', 'get', address], { code: 'link-refused' });
  const [route] = readIpJson(stdout, ipRoutes, 'link-refused');
  if (route?.dev !== 'lo')
    throw refuse(`${host.name} would reach itself by ${route?.dev ?? 'no device'}, not by its loopback`);
}

/**
 * Each host on the left asks one on the right, so that everyone on either side has part. Throws `link-refused` where an
 * answer does not come over exactly one router.
 */
export async function checkPings(left: readonly End[], right: readonly End[]): Promise<void> {
  await Promise.all(
    Array.from({ length: Math.max(left.length, right.length) }, async (_, k) => {
      const [from, to] = [left[k % left.length]!, right[k % right.length]!];
      const { status, stdout } = await from.host.run(['ping', '-n', '-c', '1', '-W', '2', to.address], {
        allowFailure: true,
      });
      const ttl = Number(/ttl=(\d+)/.exec(stdout)?.[1]);
      if (status !== 0 || ttl !== ttlBehindRouter) {
        const outcome =
          status === 0
            ? `came back with TTL ${ttl}, not over exactly one router (${ttlBehindRouter})`
            : 'was not answered';
        throw refuse(`ping from ${from.host.name} to ${to.host.name} ${outcome}`);
      }
    }),
  );
}
