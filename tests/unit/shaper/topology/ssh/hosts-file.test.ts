import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assign, type LabMachine, readHostsFile } from '../../../../../shaper/topology/ssh/hosts-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'coexist-hosts-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'hosts.json');

const device = (name: string, address: string) => ({ device: name, address });
const lab = () => ({
  machines: [
    {
      name: 'shaper',
      ssh: 'root@10.0.0.1',
      roles: ['router'],
      devices: [device('eth1', '10.77.1.1'), device('eth2', '10.77.2.1')],
    },
    { name: 'left', ssh: 'root@10.0.0.2', roles: ['left', 'right'], devices: [device('eth1', '10.77.1.2')] },
    { name: 'right', ssh: 'right.lab', roles: ['right'], devices: [device('eth1', '10.77.2.2')] },
  ] as Record<string, unknown>[],
});

function read(value: unknown) {
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return readHostsFile(file);
}

test('a file with its defaults', () => {
  const [shaper, left, right] = read({ sshConfig: 'ssh/config', ...lab() });
  assert.deepEqual(shaper!.destination, {
    ssh: 'root@10.0.0.1',
    port: null,
    configFile: join(folder, 'ssh/config'),
    node: 'node',
  });
  assert.deepEqual(
    [left!.name, left!.roles, right!.devices],
    ['left', ['left', 'right'], [device('eth1', '10.77.2.2')]],
  );
  assert.deepEqual(
    Object.values(assign([shaper!, left!, right!])!)
      .flat()
      .map(({ name }) => name),
    ['shaper', 'left', 'right'],
  );
});

test('one that may be either gives way to one that may be only that', () => {
  const machines: { name: string; roles: LabMachine['roles'] }[] = [
    { name: 'a', roles: ['router', 'left', 'right'] },
    { name: 'b', roles: ['router'] },
    { name: 'c', roles: ['left'] },
  ];
  const names = (places: number) =>
    Object.entries(assign(machines, places) ?? {}).map(
      ([role, of]) => `${role} ${[of].flat().map(({ name }) => name)}`,
    );
  assert.deepEqual(names(1), ['router b', 'left c', 'right a']);
  assert.deepEqual(names(2), []);
  machines.push({ name: 'd', roles: ['left', 'right'] }, { name: 'e', roles: ['right'] });
  assert.deepEqual(names(2), ['router b', 'left c,a', 'right e,d']);
});

/** A lab with one change to one machine. */
const changed = (k: number, change: object) => {
  const value = lab();
  value.machines[k] = { ...value.machines[k], ...change };
  return value;
};

const bad: [what: string, value: unknown, says: string | RegExp][] = [
  ['no JSON', '{ "machines": ', /JSON/],
  ['no JSON over several lines', '{\n  "machines":\n  x }', /^Unexpected token 'x', .* is not valid JSON$/],
  ['a list', [], /^\[\] is not an object; write it like \{ machines: \[\{ name: /],
  ['no machines', {}, /^machines is missing; write it like \[\{ name: "\.\.\.", ssh: /],
  [
    'two machines',
    { machines: lab().machines.slice(1) },
    'machines: must be at least three: a router, and one on either side',
  ],
  ['too many', { machines: Array.from({ length: 17 }, () => lab().machines[0]) }, 'machines: must be at most 16'],
  ['a misspelt key', changed(1, { rolls: [] }), /^machines\.1: unknown key "rolls"; did you mean "roles"\?/],
  [
    'a key of two lines',
    changed(1, { 'a\nb': 5 }),
    'machines.1: unknown key "a\\nb" (known: name, ssh, port, node, roles, devices)',
  ],
  [
    'a value as long as the file',
    changed(0, { ssh: ' '.repeat(5000) }),
    `machines.0.ssh: "${' '.repeat(76)}... is no destination of ssh; write it like "root@left.lab"`,
  ],
  ['a path that is none', { sshConfig: 'ssh\0config', ...lab() }, 'sshConfig: "ssh\\u0000config" is no path of a file'],
  ['no name', changed(1, { name: undefined }), /^machines\.1\.name is missing; write a text$/],
  [
    'a name that is none',
    changed(1, { name: 'Left 1' }),
    'machines.1.name: "Left 1" is no name; use small letters, digits and "-", like "left-1"',
  ],
  ['one name twice', changed(2, { name: 'left' }), 'machines.2.name: "left" is the name of machines.1 already'],
  [
    'an option of ssh',
    changed(0, { ssh: '-oProxyCommand=sh' }),
    'machines.0.ssh: "-oProxyCommand=sh" is no destination of ssh; write it like "root@left.lab"',
  ],
  ['words for the shell', changed(0, { ssh: 'root@a b' }), /^machines\.0\.ssh: .* is no destination/],
  [
    'a password',
    changed(0, { ssh: 'root:secret@left.lab' }),
    'machines.0.ssh: a password has no place in a file; ssh must get in by a key, without a question',
  ],
  [
    'a URL',
    changed(0, { ssh: 'ssh://root@left.lab' }),
    'machines.0.ssh: write "user@host", and the port as "port": 22',
  ],
  ['a port', changed(0, { port: 70_000 }), 'machines.0.port: 70000 is out of range; it must be at most 65535'],
  ['a port as text', changed(0, { port: '22' }), 'machines.0.port: "22" is not a number'],
  ['a program with words', changed(0, { node: 'node -e' }), /^machines\.0\.node: "node -e" is no program/],
  ['no roles', changed(1, { roles: [] }), 'machines.1.roles: must name what the machine may be: router, left, right'],
  [
    'a role that is none',
    changed(1, { roles: ['client'] }),
    'machines.1.roles.0: "client" is not one of router, left, right',
  ],
  [
    'no devices',
    changed(1, { devices: [] }),
    'machines.1.devices: must name the device on the test network, and its address',
  ],
  [
    'a device that is none',
    changed(1, { devices: [device('-eth0', '10.77.1.2')] }),
    /^machines\.1\.devices\.0\.device: "-eth0" is no name/,
  ],
  [
    'a device whose name no program can be given',
    changed(1, { devices: [device('\0', '10.77.1.2')] }),
    /^machines\.1\.devices\.0\.device: "\\u0000" is no name/,
  ],
  [
    'an address that is none',
    changed(1, { devices: [device('eth1', '10.77.1.2/24')] }),
    'machines.1.devices.0.address: "10.77.1.2/24" is no IPv4 address; write it like "10.77.1.2"',
  ],
  [
    'one address twice',
    changed(1, { devices: [device('eth1', '10.77.2.2')] }),
    'machines.2.devices.0.address: "10.77.2.2" is the address of machines.1 already',
  ],
  [
    'a router with one device',
    changed(0, { devices: [device('eth1', '10.77.1.1')] }),
    'machines.0.devices: a router needs two: one on either side',
  ],
  [
    'one device twice',
    changed(0, { devices: [device('eth1', '10.77.1.1'), device('eth1', '10.77.2.1')] }),
    'machines.0.devices.1.device: "eth1" is named twice',
  ],
  [
    'nobody for the router',
    changed(0, { roles: ['left'] }),
    'machines: the roles of shaper, left, right leave no three machines for router, left and right',
  ],
];

for (const [what, value, says] of bad)
  test(`refused in one line: ${what}`, () => {
    assert.throws(
      () => read(value),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'bad-definition');
        assert.ok(error.message.startsWith(`${file}: `) && !error.message.includes('\n'), error.message);
        const rest = error.message.slice(file.length + 2);
        if (typeof says === 'string') assert.equal(rest, says);
        else assert.match(rest, says);
        return true;
      },
    );
  });

test('a file that is not there', () => {
  assert.throws(() => readHostsFile(join(folder, 'none.json')), {
    code: 'bad-definition',
    message: /none\.json: ENOENT/,
  });
});
