/** Many hosts on either side of one bottleneck, made for real. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Host } from '../../../core/system/host.ts';
import { Lease } from '../../../core/system/lease.ts';
import type { Link } from '../../../core/vocabulary/link.ts';
import { removeLeftovers } from '../../../harness/trial/leftovers.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { shapedLinkOf, tcLink } from './links.ts';
import { allNamespaces, cannotRun } from './run-command.ts';

/** Folder with the leases of the file that imports this. */
export const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
process.env['COEXIST_STATE_DIR'] = state;
after(() => rmSync(state, { recursive: true, force: true }));

export const rateBps = 4e6;
export const names = (side: string, count: number) => Array.from({ length: count }, (_, k) => `${side}-${k + 1}`);

export const ping = (from: Host, to: string, ...words: string[]) =>
  from.run(['ping', '-n', '-q', ...words, to], { allowFailure: true });

/** Namespaces of a lease that are there. */
export const own = async (lease: Lease) => (await allNamespaces()).filter(name => name.includes(lease.id));

/** Tests of a number of hosts on each side. */
export function hasManyHosts(count: number): void {
  describe(`${count} hosts on each side`, { skip: cannotRun }, () => {
    /** Those of the hosts, of the router and of what is behind the bottleneck. */
    const namespaces = 2 * count + 2;
    const many = { left: names('left', count), right: names('right', count) };

    test('are made, reach each other over one queue, and are gone, in a few seconds', async context => {
      const lease = Lease.open(state);
      const startMs = performance.now();
      const dumbbell = await Dumbbell.build(lease, many);
      const builtMs = performance.now();
      try {
        assert.equal((await own(lease)).length, namespaces);
        await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads()]);
        assert.equal(new Set(Object.values(dumbbell.addresses)).size, 2 * count);
        const shapedLink = shapedLinkOf(dumbbell);
        const { paths } = tcLink(rateBps, { unit: 'packets', value: 100 });
        for (const backend of ['tc', 'emulator'] as const) {
          const link: Link = {
            ...tcLink(20e6, { unit: 'packets', value: 200 }),
            paths: Object.fromEntries(many.left.map((name, k) => [name, { ...paths.server!, upMs: (k % 4) * 5 }])),
            backend,
          };
          await shapedLink.set(link, 1);
          await shapedLink.verify();
          await Promise.all(
            dumbbell.left.map(({ host }, k) => ping(host, dumbbell.right[k]!.address, '-c', '2', '-i', '0.1')),
          );
          assert.equal((await shapedLink.counters()).sentPackets, 2 * count, backend);
        }
        await shapedLink.clear();
      } finally {
        const removing = performance.now();
        await dumbbell.remove();
        context.diagnostic(
          `made in ${Math.round(builtMs - startMs)} ms, removed in ${Math.round(performance.now() - removing)} ms`,
        );
      }
      assert.deepEqual(await own(lease), []);
      lease.release();
    });

    test('left by a run that was killed, they are found by its lease and removed', async () => {
      const program = `
        const { Lease } = await import('${import.meta.resolve('../../../core/system/lease.ts')}');
        const { Dumbbell } = await import('${import.meta.resolve('../../../shaper/topology/dumbbell.ts')}');
        const lease = Lease.open();
        const dumbbell = await Dumbbell.build(lease, ${JSON.stringify(many)});
        dumbbell.right[${count - 1}].host.start('sleeper', ['sleep', '600']);
        console.log(lease.id);
        setInterval(() => {}, 1000);`;
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      child.kill('SIGKILL');
      await once(child, 'close');
      const left = (await allNamespaces()).filter(name => name.includes(line.trim()));
      assert.equal(left.length, namespaces);
      const cleaned = await removeLeftovers();
      assert.equal(cleaned.namespaces.length, namespaces);
      assert.deepEqual(
        (await allNamespaces()).filter(name => name.includes(line.trim())),
        [],
      );
      assert.deepEqual(readdirSync(state), []);
    });
  });
}
