/** What the kernel is told in each namespace (ip-sysctl). */
import { run } from '../../core/command.ts';
import type { Host } from '../../core/host.ts';

/** Settings of every namespace. IPv6 ones are left out where the kernel has no IPv6. */
const everySetting = [
  'net.ipv4.conf.all.accept_redirects=0', 'net.ipv4.conf.default.accept_redirects=0',
  'net.ipv4.conf.all.send_redirects=0', 'net.ipv4.conf.default.send_redirects=0',
  'net.ipv4.conf.all.rp_filter=0', 'net.ipv4.conf.default.rp_filter=0',
  'net.ipv4.tcp_no_metrics_save=1',
];
const ipv6Settings = ['net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1', 'net.ipv6.conf.default.autoconf=0', 'net.ipv6.conf.default.accept_ra=0'];

let hasIpv6: Promise<boolean> | undefined;

/** The kernel's settings of a namespace, and more of them. */
export async function applySettings(host: Host, more: readonly string[] = []): Promise<void> {
  hasIpv6 ??= run(['test', '-d', '/proc/sys/net/ipv6'], { allowFailure: true }).then(({ status }) => status === 0);
  await host.run(['sysctl', '-q', '-w', ...everySetting, ...(await hasIpv6 ? ipv6Settings : []), ...more]);
}
