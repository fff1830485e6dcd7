/** The files for Docker Compose: what they start exists, and no password stands in them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { run } from '../../core/system/command.ts';
import { commandsWith } from '../unit/support/commands.ts';

const commandOf = commandsWith();
const root = fileURLToPath(new URL('../../', import.meta.url));

type Service = {
  build?: string;
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  extends?: { file: string; service: string };
  depends_on?: Record<string, unknown>;
  volumes?: string[];
  privileged?: boolean;
  ports?: unknown;
};
type Compose = { services: Record<string, Service>; volumes?: Record<string, unknown> };

const composeOf = (file: string) => parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as Compose;
const queue = composeOf('compose.queue.yaml');
const plain = composeOf('compose.yaml');

test('the queue has a database, one planner and two workers, of which the workers alone are privileged', () => {
  const { services } = queue;
  assert.deepEqual(Object.keys(services), ['database', 'planner', 'worker-1', 'worker-2']);
  const isPrivileged = ({ privileged, extends: base }: Service) =>
    privileged === true || (base !== undefined && composeOf(base.file).services[base.service]!.privileged === true);
  assert.deepEqual(
    Object.entries(services)
      .filter(([, service]) => isPrivileged(service))
      .map(([name]) => name),
    ['worker-1', 'worker-2'],
  );
  assert.equal(services['worker-1']!.command![0], 'worker');
  for (const { depends_on: needed = {}, volumes = [], ports } of Object.values(services)) {
    for (const name of Object.keys(needed)) assert.ok(name in services, name);
    const named = volumes.map(volume => volume.split(':')[0]!).filter(volume => !/^[./]/.test(volume));
    for (const name of named) assert.ok(name in queue.volumes!, name);
    assert.equal(ports, undefined, 'no port is open to other machines');
  }
});

test('each command that is named exists and knows the options that it is given', async () => {
  for (const { services } of [plain, queue]) {
    for (const { command, build, extends: base } of Object.values(services)) {
      assert.ok(build === undefined || existsSync(join(root, build, 'Dockerfile')));
      if (base !== undefined) assert.ok(base.service in composeOf(base.file).services);
      if (command === undefined) continue;
      const [name, ...words] = command;
      const { status, stdout } = await commandOf(name!, '--help');
      assert.equal(status, 0, name);
      for (const option of words.filter(word => word.startsWith('--')))
        assert.match(stdout, new RegExp(`${option}\\b`), `${name} ${option}`);
    }
  }
});

test('passwords come from the environment, and one that is missing is named', () => {
  const secret = Object.values(queue.services).flatMap(({ environment = {} }) =>
    Object.entries(environment).filter(([name]) => /PASSWORD/.test(name)),
  );
  assert.equal(secret.length, 4);
  for (const [name, value] of secret) assert.match(value, /^\$\{QUEUE_PASSWORD:\?[^}]+\}$/, name);
  for (const { command = [] } of Object.values(queue.services))
    assert.doesNotMatch(command.join(' '), /:\/\/[^/@]*:/, 'no password in an address');
});

const compose = spawnSync('docker', ['compose', 'version']).status === 0 ? false : 'Docker Compose is not there';

test('Docker Compose takes them as they are', { skip: compose }, async () => {
  const given = { QUEUE_PASSWORD: 'secret', PLANNER_KEY: 'key' };
  const argv = ['env', ...Object.entries(given).map(([name, value]) => `${name}=${value}`), 'docker', 'compose'];
  for (const file of ['compose.yaml', 'compose.queue.yaml'])
    await run([...argv, '-f', join(root, file), 'config', '--quiet']);
});
