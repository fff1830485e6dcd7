/** Networks that are somebody's own and not the Internet: a page that nobody here has written has no business there. IPv4. */
import { BlockList } from 'node:net';

export const privateNetworks = [
  '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', // RFC 1918
  '100.64.0.0/10', // RFC 6598, between a provider and its customers
  '127.0.0.0/8', '169.254.0.0/16', // this host, and this link (RFC 1122, RFC 3927)
  '198.18.0.0/15', // RFC 2544, for measurements: other runs' uplinks among them
] as const;

const list = new BlockList();
for (const network of privateNetworks) {
  const [address, bits] = network.split('/');
  list.addSubnet(address!, Number(bits), 'ipv4');
}

export function isPrivate(address: string): boolean {
  return list.check(address, 'ipv4');
}
