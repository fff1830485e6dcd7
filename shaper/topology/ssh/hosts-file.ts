/**
 * Parser of hosts.json: the machines of a lab, their addresses for SSH, their devices on the test network, and their
 * possible roles. docs/lab.md has an example.
 */
import { isIPv4 } from 'node:net';
import { dirname, resolve } from 'node:path';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { check, choice, integer, object, text, z } from '../../../core/schema/schema.ts';
import { readNamedFile } from '../../../core/system/regular-file.ts';
import { shownValue } from '../../../core/text/shown-value.ts';
import type { Destination } from './launch.ts';

const roles = ['router', 'left', 'right'] as const;
type Role = (typeof roles)[number];

/** A device on the test network, with its IPv4 address. */
export type LabDevice = { device: string; address: string };

export type LabMachine = {
  name: string;
  destination: Destination;
  roles: readonly Role[];
  /** The machine's devices on the test network: one for a host, two or more for a router. */
  devices: readonly LabDevice[];
};

/** Largest number of machines; it is limited because every pair of machines is probed. */
const mostMachines = 16;

const matching = (form: RegExp, explain: (word: string) => string) =>
  text().refine(word => form.test(word), { error: issue => explain(shownValue(issue.input)) });

/**
 * Destination of ssh: "root@10.0.0.2", "left.lab", or a name of ~/.ssh/config. It may not begin with "-", because ssh
 * would read an option.
 */
const destination = text()
  .refine(word => !/^ssh:\/\//.test(word), { error: 'write "user@host", and the port as "port": 22' })
  .refine(word => !/^[^@]*:[^@]*@/.test(word), {
    error: 'a password has no place in a file; ssh must get in by a key, without a question',
  })
  .refine(word => /^(?:[A-Za-z0-9_][\w.-]*@)?[A-Za-z0-9[:][\w.:%\]-]*$/.test(word), {
    error: issue => `${shownValue(issue.input)} is no destination of ssh; write it like "root@left.lab"`,
  });

const device = object({
  device: matching(
    /^[^\s\p{Cc}/-][^\s\p{Cc}/]{0,14}$/u,
    word => `${word} is no name of a network device; write it like "enp3s0"`,
  ),
  address: text().refine(isIPv4, {
    error: issue => `${shownValue(issue.input)} is no IPv4 address; write it like "10.77.1.2"`,
  }),
});

const machine = object({
  name: matching(
    /^[a-z][a-z0-9-]{0,30}$/,
    word => `${word} is no name; use small letters, digits and "-", like "left-1"`,
  ),
  ssh: destination,
  port: integer({ min: 1, max: 65_535 }).optional(),
  node: matching(/^[\w./+-]+$/, word => `${word} is no program; write it like "/opt/node/bin/node"`).optional(),
  roles: z
    .array(choice(roles), { error: 'must be a list of roles, like ["left", "right"]' })
    .min(1, { error: `must name what the machine may be: ${roles.join(', ')}` }),
  devices: z
    .array(device, { error: 'must be a list of devices, like [{ "device": "enp3s0", "address": "10.77.1.2" }]' })
    .min(1, { error: 'must name the device on the test network, and its address' }),
});

const list = { error: 'must be a list of machines' };
const schema = object({
  sshConfig: text()
    .refine(path => !path.includes('\0'), { error: issue => `${shownValue(issue.input)} is no path of a file` })
    .optional(),
  machines: z
    .array(machine, list)
    .min(3, { error: 'must be at least three: a router, and one on either side' })
    .max(mostMachines, { error: `must be at most ${mostMachines}` }),
}).superRefine(({ machines }, context) => {
  const seen = new Map<string, string>();
  const unique = (word: string, path: (string | number)[], what: string) => {
    const key = `${what} ${word}`;
    const other = seen.get(key);
    if (other !== undefined)
      context.addIssue({ code: 'custom', path, message: `${JSON.stringify(word)} is ${what} of ${other} already` });
    else seen.set(key, path.slice(0, 2).join('.'));
  };
  machines.forEach(({ name, roles: own, devices }, k) => {
    unique(name, ['machines', k, 'name'], 'the name');
    devices.forEach(({ device: name_, address }, d) => {
      unique(address, ['machines', k, 'devices', d, 'address'], 'the address');
      if (devices.findIndex(other => other.device === name_) !== d)
        context.addIssue({
          code: 'custom',
          path: ['machines', k, 'devices', d, 'device'],
          message: `${JSON.stringify(name_)} is named twice`,
        });
    });
    if (own.includes('router') && devices.length < 2)
      context.addIssue({
        code: 'custom',
        path: ['machines', k, 'devices'],
        message: 'a router needs two: one on either side',
      });
  });
  if (assign(machines) === undefined)
    context.addIssue({
      code: 'custom',
      path: ['machines'],
      message: `the roles of ${machines.map(one => one.name).join(', ')} leave no three machines for router, left and right`,
    });
});

/** Machines by role: one router, and equal numbers of machines on both sides. */
type Assigned<M> = { router: M; left: M[]; right: M[] };

/** Assigns machines to roles. `places`: number of machines on each side. Undefined if there are not enough machines. */
export function assign<M extends { roles: readonly Role[] }>(
  machines: readonly M[],
  places = 1,
): Assigned<M> | undefined {
  for (const router of machines.filter(({ roles: own }) => own.includes('router'))) {
    const able = machines.filter(machine => machine !== router);
    // machines with only this role come before machines with both
    const of = (role: Role, other: Role, but: readonly M[]) =>
      able
        .filter(machine => machine.roles.includes(role) && !but.includes(machine))
        .sort((a, b) => Number(a.roles.includes(other)) - Number(b.roles.includes(other)))
        .slice(0, places);
    const left = of('left', 'right', []);
    const right = of('right', 'left', left);
    if (left.length === places && right.length === places) return { router, left, right };
  }
  return undefined;
}

/** Reads the machines of the file `path`. Throws `bad-definition` with the path of the first invalid field. */
export function readHostsFile(path: string): LabMachine[] {
  let value: unknown;
  try {
    value = JSON.parse(readNamedFile(path));
  } catch (error) {
    throw new CoexistError('bad-definition', `${path}: ${messageOf(error).replace(/\s+/g, ' ')}`, {
      hint: 'docs/lab.md has an example of the file',
      cause: error,
    });
  }
  const { sshConfig, machines } = check(schema, value, path);
  const configFile = sshConfig === undefined ? null : resolve(dirname(path), sshConfig);
  return machines.map(({ name, ssh, port = null, node = 'node', roles: own, devices }) => ({
    name,
    destination: { ssh, port, configFile, node },
    roles: own,
    devices,
  }));
}
