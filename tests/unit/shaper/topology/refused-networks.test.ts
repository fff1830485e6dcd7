import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  lookAtNetworks,
  networksBeyond,
  refusedNetworksOf,
  refuser,
} from '../../../../shaper/topology/refused-networks.ts';

const everywhere = refusedNetworksOf([], []);

test("what is nobody's, somebody's own, or many's is refused on every machine", () => {
  const isRefused = refuser(everywhere);
  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.9',
    '169.254.169.254',
    '127.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '168.63.129.16',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
  ])
    assert.ok(isRefused(address), address);
  for (const address of [
    '172.32.0.1',
    '11.0.0.1',
    '203.0.113.1',
    '192.169.0.1',
    '168.63.129.17',
    '223.255.255.255',
    '1.1.1.1',
  ])
    assert.ok(!isRefused(address), address);
});

test('what is no IPv4 address is refused, whichever networks are: a URL may name one, and no lookup changes it', () => {
  for (const isRefused of [refuser(everywhere), refuser([])])
    for (const address of [
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:169.254.169.254',
      '2606:4700::1111',
      'fe80::1%eth0',
      '127.1',
      '',
    ])
      assert.ok(isRefused(address), address);
  assert.ok(!refuser([])('10.0.0.1'));
});

const addresses = [
  { ifname: 'lo', addr_info: [{ local: '127.0.0.1', prefixlen: 8 }] },
  {
    ifname: 'eth0',
    addr_info: [
      { local: '203.0.113.77', prefixlen: 26 },
      { local: '198.51.100.9', prefixlen: 32 },
    ],
  },
  { ifname: 'down0' },
  { ifname: 'ppp0', addr_info: [{ local: '192.0.2.9', prefixlen: 1 }] },
];
const routes = [
  { dst: 'default', gateway: '203.0.113.65', dev: 'eth0' },
  { dst: '203.0.113.64/26', dev: 'eth0', scope: 'link' },
  { dst: '5.5.0.0/16', gateway: '203.0.113.70', dev: 'eth0' },
  { dst: '9.9.9.9', dev: 'tun0' },
  { dst: '0.0.0.0/1', dev: 'tun0' },
  { dst: '128.0.0.0/1', dev: 'tun0' },
  { type: 'local', dst: '198.51.100.9', dev: 'eth0' },
  { type: 'broadcast', dst: '203.0.113.127', dev: 'eth0' },
];

test("so are the machine's own addresses, the networks that it is part of, and those that it knows other ways to", () => {
  const isRefused = refuser(refusedNetworksOf(addresses, routes));
  for (const address of [
    '203.0.113.77',
    '203.0.113.64',
    '203.0.113.127',
    '198.51.100.9',
    '5.5.200.1',
    '9.9.9.9',
    '192.0.2.9',
  ])
    assert.ok(isRefused(address), address);
  for (const address of [
    '203.0.113.63',
    '203.0.113.128',
    '198.51.100.10',
    '5.6.0.1',
    '9.9.9.8',
    '192.0.2.10',
    '129.0.0.1',
  ])
    assert.ok(!isRefused(address), address);
});

test('none of the networks holds another, as a table of nftables wants it', () => {
  const twice = refusedNetworksOf([...addresses, ...addresses], [...routes, ...routes, { dst: '10.7.0.0/16' }]);
  assert.equal(new Set(twice).size, twice.length);
  assert.ok(!twice.includes('10.7.0.0/16') && !twice.includes('203.0.113.77/32') && twice.includes('203.0.113.64/26'));
  assert.equal(everywhere.length, 12);
});

test('whatever stands there, an address of a network that is named is refused', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.ipV4(), fc.integer({ min: 8, max: 32 })), { maxLength: 20 }), list => {
      const networks = refusedNetworksOf(
        [],
        list.map(([address, bits]) => ({ dst: `${address}/${bits}` })),
      );
      const isRefused = refuser(networks);
      for (const [address] of list) assert.ok(isRefused(address), `${address} of ${networks.join()}`);
    }),
  );
  for (const dst of ['default', '', 'unreachable', '1.2.3', '1.2.3.4/33', '999.1.1.1', '::1/128'])
    assert.deepEqual(refusedNetworksOf([], [{ dst }]), everywhere);
});

test('a network that the machine joins later is noticed; one that is refused already, or left again, is not', async () => {
  const known = refusedNetworksOf(addresses, routes);
  const look = (...more: string[]) =>
    lookAtNetworks(known, async () =>
      refusedNetworksOf(
        addresses,
        more.map(dst => ({ dst })),
      ),
    )();
  for (const joined of ['5.5.0.0/16', '203.0.113.70', '10.99.0.0/16', '0.0.0.0/1'])
    assert.equal(await look(joined), undefined, joined);
  for (const joined of ['5.0.0.0/8', '8.8.8.0/24', '203.0.113.0/24']) {
    const error = await look(joined);
    assert.equal(error?.code, 'uplink-lost');
    assert.ok(error.message.includes(`joined ${joined} while`), error.message);
  }
  assert.deepEqual(networksBeyond([], ['8.8.8.0/24']), ['8.8.8.0/24']);
  const halves = ['9.9.8.0/24', '9.9.9.0/25', '9.9.9.128/25'];
  assert.deepEqual(networksBeyond(halves, ['9.9.8.0/23', '9.9.9.7/32']), [], 'together they hold it');
  assert.deepEqual(networksBeyond(halves.slice(1), ['9.9.8.0/23']), ['9.9.8.0/23']);
});
