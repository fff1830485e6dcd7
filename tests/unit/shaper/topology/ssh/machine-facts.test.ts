import assert from 'node:assert/strict';
import { cpus, release } from 'node:os';
import { test } from 'node:test';
import { run } from '../../../../../core/system/command.ts';
import { localHost } from '../../../../../core/system/local-host.ts';
import { readFacts } from '../../../../../shaper/topology/ssh/machine-facts.ts';

test('what a machine is, as it says itself', async () => {
  const facts = await readFacts(localHost);
  assert.equal(facts.kernel, release());
  assert.equal(facts.architecture, (await run(['uname', '-m'])).stdout.trim());
  assert.equal(facts.cores, cpus().length);
  assert.notEqual(facts.distribution, '');
  assert.match(facts.iproute2 ?? '', /^tc utility|^$/);
});

test('a program that is not there has no version', async () => {
  const stdout =
    '6.18\nx86_64\nDebian\n\n2\nsh: 6: iperf3: not found\ntc utility, iproute2-6.1\nsh: 1: ethtool: not found\n';
  const facts = await readFacts({ run: async () => ({ status: 0, signal: null, stdout, stderr: '' }) });
  assert.deepEqual(facts, {
    kernel: '6.18',
    architecture: 'x86_64',
    distribution: 'Debian',
    processor: 'unknown',
    cores: 2,
    iperf3: null,
    iproute2: 'tc utility, iproute2-6.1',
    ethtool: null,
  });
});
