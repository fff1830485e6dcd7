import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endMasquerade, type MasqueradeOptions, masquerade } from '../../../../shaper/topology/masquerade.ts';
import { firewallMachine } from './support/firewall-machine.ts';

const refused = ['10.0.0.0/8', '203.0.113.0/24'];
const options: MasqueradeOptions = {
  name: 'cx-00beef',
  network: '198.18.1.0/30',
  device: 'eth7',
  from: 'cx-00beef',
  isClosed: true,
  refused,
  nameServer: null,
};
const router: MasqueradeOptions = {
  name: 'uplink',
  network: '10.0.2.0/24',
  device: 'toInternet',
  from: null,
  isClosed: false,
  refused,
  nameServer: '198.18.1.1',
};

test("nftables comes first, with a table of its own; iptables' chains get no more than exceptions", async () => {
  const { told, runner } = firewallMachine();
  assert.equal(await masquerade(options, runner), 'nft');
  assert.match(
    told[0]!,
    /^nft -f - < table ip cx-00beef \{[^]*ip saddr 198\.18\.1\.0\/30 oifname "eth7" masquerade;[^]*iifname "eth7" oifname != "cx-\*" drop;/,
  );
  assert.deepEqual(
    told.slice(1).map(line => line.split(' ').slice(0, 4).join(' ')),
    ['iptables -w -I INPUT', 'iptables -w -I FORWARD', 'iptables -w -I FORWARD'],
  );
  assert.ok(told.slice(1).every(line => line.endsWith('-j ACCEPT')));
});

test('without nftables by iptables, and every rule that is put there is taken away', async () => {
  for (const which of [options, router]) {
    const { told, runner } = firewallMachine('nft');
    assert.equal(await masquerade(which, runner), 'iptables');
    const put = told.splice(0).filter(line => line.startsWith('iptables') && !/ -D | -[FX] /.test(line));
    assert.ok(put.includes(`iptables -w -A POSTROUTING -t nat -s ${which.network} -o ${which.device} -j MASQUERADE`));
    assert.equal(
      put.includes('iptables -w -I FORWARD -i eth7 ! -o cx-+ -j DROP'),
      which.isClosed,
      'what comes from outside goes to uplinks alone',
    );
    await endMasquerade(which, runner);
    const rule = (line: string) => line.replace(/ -[AIDNX] /, ' ');
    const taken = told.filter(line => line.startsWith('iptables') && !line.includes(' -F ')).map(rule);
    assert.deepEqual(
      taken.sort(),
      put
        .filter(line => !line.includes(`-A ${which.name} `))
        .map(rule)
        .sort(),
    );
    assert.ok(
      told.indexOf(`iptables -w -F ${which.name}`) < told.indexOf(`iptables -w -X ${which.name}`),
      'its chain is emptied, then removed',
    );
    assert.ok(told.includes(`nft delete table ip ${which.name}`));
  }
});

test('a machine that forwards anyway is not closed', async () => {
  for (const broken of [[], ['nft']]) {
    const { told, runner } = firewallMachine(...broken);
    await masquerade({ ...options, isClosed: false, refused: null }, runner);
    assert.doesNotMatch(told.join('\n'), /drop/i);
  }
});

test("hosts behind it reach the machine's name server and the Internet, but no refused network", async () => {
  const { told, runner } = firewallMachine('nft');
  await masquerade(options, runner);
  // each rule is inserted before the earlier ones
  const order = (words: string) => told.findIndex(line => line.includes(words));
  assert.ok(
    order('-I INPUT -i cx-00beef -j DROP') >= 0 &&
      order('-I INPUT -i cx-00beef -j DROP') < order('-I INPUT -i cx-00beef -p udp --dport 53 -j ACCEPT'),
    told.join('\n'),
  );
  for (const words of [
    '-A cx-00beef -d 10.0.0.0/8 -j DROP',
    '-A cx-00beef -d 203.0.113.0/24 -j DROP',
    '-A cx-00beef ! -o eth7 -j DROP',
  ])
    assert.ok(order(words) >= 0, words);
  assert.ok(order('-I FORWARD -i cx-00beef -j cx-00beef') > order('-I FORWARD -i cx-00beef -j ACCEPT'));
  const other = firewallMachine();
  await masquerade(options, other.runner);
  assert.match(
    other.told[0]!,
    /hook input priority 0; iifname "cx-00beef" udp dport 53 accept; iifname "cx-00beef" drop; \}[^]*hook forward priority 0; iifname "cx-00beef" oifname != "eth7" drop; iifname "cx-00beef" ip daddr \{ 10\.0\.0\.0\/8, 203\.0\.113\.0\/24 \} drop; \}/,
  );
});

test('the router refuses the same, but for the name server', async () => {
  const { told, runner } = firewallMachine();
  await masquerade(router, runner);
  assert.match(
    told[0]!,
    /hook forward priority 0; oifname "toInternet" ip daddr 198\.18\.1\.1 udp dport 53 accept; [^]*oifname "toInternet" ip daddr \{ 10\.0\.0\.0\/8, /,
  );
  assert.equal(told.length, 1, 'nobody else has rules there');
});

test('where neither can, both reasons are said', async () => {
  const { runner } = firewallMachine('iptables', 'nft');
  await assert.rejects(masquerade(options, runner), {
    code: 'no-internet',
    message:
      'addresses cannot be masqueraded on this machine: the program "nft" is not installed; the program "iptables" is not installed',
  });
});
