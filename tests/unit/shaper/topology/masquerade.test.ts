import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandOptions, Output } from '../../../../core/command.ts';
import { CoexistError } from '../../../../core/errors.ts';
import { endMasquerade, masquerade } from '../../../../shaper/topology/masquerade.ts';
import { isPrivate } from '../../../../shaper/topology/private-networks.ts';

const options = { name: 'cx-00beef', network: '198.18.1.0/30', device: 'eth7', isClosed: true, isPublicOnly: true };

/** A machine on which some programs fail; what it was told. */
function machine(...broken: string[]) {
  const told: string[] = [];
  const runner = async (argv: readonly string[], { input, allowFailure }: CommandOptions = {}): Promise<Output> => {
    told.push(`${argv.join(' ')}${input === undefined ? '' : ` < ${input.trim()}`}`);
    const fails = broken.includes(argv[0]!);
    if (fails && allowFailure !== true) throw new CoexistError('missing-program', `the program "${argv[0]}" is not installed`);
    return { status: fails ? 1 : 0, signal: null, stdout: '', stderr: '' };
  };
  return { told, runner };
}

test('iptables comes first, and every rule that it puts there it takes away', async () => {
  const { told, runner } = machine();
  assert.equal(await masquerade(options, runner), 'iptables');
  const put = told.splice(0);
  assert.ok(put.includes('iptables -w -A POSTROUTING -t nat -s 198.18.1.0/30 -o eth7 -j MASQUERADE'));
  assert.ok(put.includes('iptables -w -I FORWARD -i eth7 ! -o cx-+ -j DROP'), 'what comes from outside goes to uplinks alone');
  await endMasquerade(options, runner);
  const rule = (line: string) => line.replace(/ -[AID] /, ' ');
  assert.deepEqual(told.filter(line => line.startsWith('iptables')).map(rule).sort(), put.map(rule).sort());
  assert.ok(told.includes('nft delete table ip cx-00beef'));
});

test('a machine that forwards anyway is not closed', async () => {
  for (const broken of [[], ['iptables']]) {
    const { told, runner } = machine(...broken);
    await masquerade({ ...options, isClosed: false, isPublicOnly: false }, runner);
    assert.doesNotMatch(told.join('\n'), /drop/i);
  }
});

test('without iptables a table of nftables of that name', async () => {
  const { told, runner } = machine('iptables');
  assert.equal(await masquerade(options, runner), 'nft');
  assert.match(told.at(-1)!, /^nft -f - < table ip cx-00beef \{[^]*ip saddr 198\.18\.1\.0\/30 oifname "eth7" masquerade;[^]*iifname "eth7" oifname != "cx-\*" drop;/);
});

test('whoever is behind it gets to the machine\'s name server and to the Internet: private networks and the rest of the machine are closed', async () => {
  const { told, runner } = machine();
  await masquerade(options, runner);
  // what is put there later stands before
  const order = (words: string) => told.findIndex(line => line.includes(words));
  assert.ok(order('-I INPUT -i cx-00beef -j DROP') >= 0 && order('-I INPUT -i cx-00beef -j DROP') < order('-I INPUT -i cx-00beef -p udp --dport 53 -j ACCEPT'), told.join('\n'));
  for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16']) assert.ok(order(`-I FORWARD -i cx-00beef -d ${network} -j DROP`) > order('-I FORWARD -i cx-00beef -j ACCEPT'), network);
  const other = machine('iptables');
  await masquerade(options, other.runner);
  assert.match(other.told.at(-1)!, /hook input priority 0; iifname "cx-00beef" udp dport 53 accept; iifname "cx-00beef" drop; \}[^]*hook forward priority 0; iifname "cx-00beef" ip daddr \{ 10\.0\.0\.0\/8, .* \} drop; \}/);
});

test('which addresses are private', () => {
  for (const address of ['10.1.2.3', '172.31.0.1', '192.168.0.9', '169.254.169.254', '127.0.0.1', '100.64.0.1']) assert.ok(isPrivate(address), address);
  for (const address of ['172.32.0.1', '11.0.0.1', '203.0.113.1', '192.169.0.1']) assert.ok(!isPrivate(address), address);
});

test('where neither can, both reasons are said', async () => {
  const { runner } = machine('iptables', 'nft');
  await assert.rejects(masquerade(options, runner), { code: 'no-internet', message: 'addresses cannot be masqueraded on this machine: the program "iptables" is not installed; the program "nft" is not installed' });
});
