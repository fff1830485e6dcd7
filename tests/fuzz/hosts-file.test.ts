/** Whatever a file of hosts says, its machines can be reached and have a place, or it is refused in a line. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { assign, readHostsFile } from '../../shaper/topology/ssh/hosts-file.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261127;
const folder = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'hosts.json');

const device = (name: string, address: string) => ({ device: name, address });
const lab = {
  sshConfig: 'ssh/config',
  machines: [
    {
      name: 'shaper',
      ssh: 'root@10.0.0.1',
      roles: ['router'],
      devices: [device('a', '10.7.1.1'), device('b', '10.7.2.1')],
    },
    { name: 'left', ssh: 'left.lab', port: 22, roles: ['left', 'right'], devices: [device('eth1', '10.7.1.2')] },
    { name: 'right', ssh: 'me@[::1]', node: '/opt/node', roles: ['right'], devices: [device('eth1', '10.7.2.2')] },
    {
      name: 'more',
      ssh: 'more',
      roles: ['right', 'router'],
      devices: [device('a', '10.7.1.3'), device('b', '10.7.2.3')],
    },
  ],
};

/** Words of a command line, of a shell or of nobody. */
const words = fc.oneof(
  fc.constantFrom(
    '-oProxyCommand=sh',
    '$(reboot)',
    'a b',
    'a\nb',
    'a\0b',
    '..',
    'x'.repeat(5000),
    '::1',
    '10.7.1.2/24',
  ),
  fc.string({ unit: 'binary' }),
);
const oneWord = fc
  .tuple(
    fc.constantFrom('name', 'ssh', 'node', 'port', 'device', 'address', 'sshConfig', 'more\nkeys'),
    fc.nat(3),
    words,
  )
  .map(([key, k, word]) => {
    if (key === 'sshConfig') return { ...lab, [key]: word };
    const machine = lab.machines[k]!;
    const devices = machine.devices.map(one => ({ ...one, [key]: word }));
    const isOfDevice = key === 'device' || key === 'address';
    return { ...lab, machines: lab.machines.with(k, { ...machine, ...(isOfDevice ? { devices } : { [key]: word }) }) };
  });
const texts = fc.oneof(
  { weight: 3, arbitrary: changed([lab]).map(value => Buffer.from(JSON.stringify(value))) },
  { weight: 3, arbitrary: oneWord.map(value => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: damaged([Buffer.from(JSON.stringify(lab))]) },
  { weight: 1, arbitrary: anyBytes(100) },
);

test('files of hosts', () => {
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(texts, bytes => {
      writeFileSync(path, bytes);
      let machines: ReturnType<typeof readHostsFile>;
      try {
        machines = readHostsFile(path);
      } catch (error) {
        seen.refused++;
        assert.ok(error instanceof CoexistError && error.code === 'bad-definition', (error as Error).stack);
        assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
        return;
      }
      seen.read++;
      assert.ok(machines.length >= 3 && machines.length <= 16);
      assert.ok(assign(machines) !== undefined);
      assert.equal(new Set(machines.map(({ name }) => name)).size, machines.length);
      const addresses = machines.flatMap(({ devices }) => devices.map(({ address }) => address));
      assert.ok(addresses.every(address => isIPv4(address)));
      assert.equal(new Set(addresses).size, addresses.length);
      for (const { name, destination, devices } of machines) {
        const { ssh, port, configFile, node } = destination;
        assert.ok(port === null || (Number.isInteger(port) && port > 0 && port < 65_536));
        // they become words of a command line
        assert.ok(!configFile?.includes('\0'), JSON.stringify(configFile));
        for (const word of [name, ssh, node]) assert.match(word, /^[\w@:%/.[\]+-]+$/);
        for (const one of devices) assert.match(one.device, /^[^\s\p{Cc}/-][^\s\p{Cc}/]{0,14}$/u);
        assert.doesNotMatch(ssh, /^-|:.*@/);
      }
    }),
    effort(seed, 1000),
  );
  assert.ok(seen.read > 16 && seen.refused > 166, JSON.stringify(seen));
});
