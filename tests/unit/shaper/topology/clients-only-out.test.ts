import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endClientsOnlyOut, letClientsOnlyOut } from '../../../../shaper/topology/clients-only-out.ts';
import { firewallMachine } from './support/firewall-machine.ts';

const options = {
  name: 'uplink-only',
  from: 'toClient',
  device: 'toInternet',
  clients: ['10.0.2.2', '10.0.2.3'],
};

test('clients with a way out leave by it alone, but for their answers to pings', async () => {
  const { told, runner } = firewallMachine();
  await letClientsOnlyOut(options, runner);
  assert.equal(told.length, 1);
  const them = 'iifname "toClient" ip saddr { 10.0.2.2, 10.0.2.3 }';
  assert.ok(told[0]!.includes(`${them} icmp type echo-reply accept; ${them} oifname != "toInternet" drop; }`), told[0]);
});

test('so by iptables, where a rule that is put there later stands before; each is taken away', async () => {
  const { told, runner } = firewallMachine('nft');
  await letClientsOnlyOut(options, runner);
  const put = told.splice(0).filter(line => line.includes(' -I '));
  for (const client of options.clients) {
    const about = put.filter(line => line.includes(`-s ${client} `));
    assert.deepEqual(
      about.map(line => line.split(' ').at(-1)),
      ['DROP', 'ACCEPT'],
    );
    assert.match(about[0]!, /-i toClient .*! -o toInternet/);
    assert.match(about[1]!, /--icmp-type echo-reply/);
  }
  await endClientsOnlyOut(options, runner);
  const rules = (lines: string[], word: string) =>
    lines.filter(line => line.includes(` ${word} `)).map(line => line.replace(` ${word} `, ' '));
  assert.deepEqual(rules(told, '-D').sort(), rules(put, '-I').sort());
  assert.ok(told.includes('nft delete table ip uplink-only'));
});

test('where neither works, there is no way out', async () => {
  const { runner } = firewallMachine('nft', 'iptables');
  await assert.rejects(letClientsOnlyOut(options, runner), { code: 'no-internet', message: /"nft" is not installed/ });
});
