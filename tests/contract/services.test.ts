/** What every service has to keep: each folder in harness/services/. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CoexistError } from '../../core/errors.ts';
import { serviceKinds } from '../../core/vocabulary/service-kinds.ts';
import { fieldsOf } from '../../harness/documents/fields.ts';
import type { ServicePlugin } from '../../harness/services/service.ts';
import { loadRegistries } from '../../harness/trial/registries.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const { services } = await loadRegistries();

test('there are services', () => assert.ok(services.size > 0));

test('those that send media over RTP can pause them, and no others', () => {
  const pausing = [...services.values()].filter(({ canPause }) => canPause === true).map(({ id }) => id);
  assert.deepEqual(pausing.sort(), ['chromium-call', 'live-clip', 'voice']);
});

for (const [id, plugin] of services) {
  test(`${id}: says what it is`, () => saysWhatItIs(plugin, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(plugin));

  test(`${id}: the same parameters give the same preparation, also those of a plan that was read back`, () => {
    const key = (params: unknown) => plugin.bound(params).preparationKey;
    const params = plugin.params.parse({});
    assert.equal(key(params), key(plugin.params.parse({})));
    assert.equal(key(params), key(JSON.parse(JSON.stringify(params))));
  });

  test(`${id}: its kind, its cap and its warm-up are known before it runs`, () => {
    const service = plugin.bind({}, id);
    assert.ok(
      Object.hasOwn(serviceKinds, plugin.kind),
      `kind "${plugin.kind}" is not in core/vocabulary/service-kinds.ts: ${Object.keys(serviceKinds).join(', ')}`,
    );
    const { capBps, warmUpMs, flows, clients } = service;
    assert.equal(clients, 1, `clients gives ${clients}; several clients have to be asked for`);
    assert.ok(
      capBps === null || (Number.isFinite(capBps) && capBps > 0),
      `capBps gives ${capBps}; it must be null or a finite rate above 0 bit/s`,
    );
    assert.ok(warmUpMs >= 0 && warmUpMs <= 600e3, `warmUpMs gives ${warmUpMs} ms; 0 to 600000 ms is allowed`);
    assert.ok(Number.isInteger(flows) && flows > 0, `flows gives ${flows}; it must be a whole number above 0`);
  });

  test(`${id}: if it goes beyond the study's own network, it says where to, and its README that there is a way out`, () => {
    const target = plugin.bind({}, id).outside;
    assert.equal(target !== null, plugin.isOutside);
    if (target === null) return;
    assert.ok(
      target.host.length > 0 && Number.isInteger(target.port) && target.port > 0 && target.port < 65_536,
      `outside gives ${JSON.stringify(target)}; it must have a host and a port from 1 to 65535`,
    );
    assert.match(readFileSync(new URL(`../../harness/services/${id}/README.md`, import.meta.url), 'utf8'), /Internet/);
  });

  test(`${id}: if it runs a module of the user's, it says which, and its README that this is trusted`, async () => {
    const { plugin: own } = (await import(`../../harness/services/${id}/index.ts`)) as { plugin: ServicePlugin };
    if (own.runsModule === undefined) return;
    assert.equal(plugin.bind({}, id).runsModule, null, 'not unasked');
    assert.match(
      readFileSync(new URL(`../../harness/services/${id}/README.md`, import.meta.url), 'utf8'),
      /--trust-scripts/,
    );
  });

  test(`${id}: its README says what it is and how it deviates`, () => {
    const text = readFileSync(new URL(`../../harness/services/${id}/README.md`, import.meta.url), 'utf8');
    assert.match(text, /^# \S/);
    assert.match(text, /differs|deviat|deviations|is not |are not /i, 'README.md does not say how it differs');
  });

  test(`${id}: a congestion control that there is not is refused before anything starts`, async () => {
    const params = plugin.params.safeParse({ congestionControl: 'no-such-control' });
    if (!params.success) return assert.match(params.error.issues[0]!.message, /unknown key "congestionControl"/);
    await assert.rejects(
      plugin.bound(params.data).check(false),
      (error: unknown) =>
        error instanceof CoexistError && ['missing-congestion-control', 'no-browser'].includes(error.code),
    );
  });
}

for (const [id, plugin] of services) {
  test(`${id}: its parameters that are paths are named as such, and what it needs no file for is shipped`, () => {
    const paths = fieldsOf(plugin.params)
      .filter(({ description }) => /\bpath of\b/i.test(description))
      .map(({ path }) => path);
    assert.deepEqual(
      Object.keys(plugin.files ?? {}).sort(),
      paths.sort(),
      'files must name exactly the parameters whose description says "path of"',
    );
    const stock = plugin.params.parse({}) as Record<string, unknown>;
    for (const [name, isShipped] of Object.entries(plugin.files ?? {})) {
      assert.ok(stock[name] === undefined || isShipped(stock[name] as string), `the default of ${name} is not shipped`);
      assert.ok(!isShipped('/etc/passwd') && !isShipped('constructor'), `files.${name} says that any path is shipped`);
    }
  });

  test(`${id}: if it has a congestion control of the kernel, it says which, and which BBRv3 it needs`, () => {
    const needed = (given: object) => plugin.bind(given, id).neededBbr3;
    if (plugin.params.safeParse({ congestionControl: 'cubic' }).success) {
      assert.deepEqual(
        [
          needed({ congestionControl: 'cubic' }),
          needed({ congestionControl: 'bbr3' }),
          needed({ congestionControl: 'bbr3', bbr3Budget: 'kernel' }),
        ],
        [null, 'draft', 'kernel'],
      );
      assert.equal(plugin.bind({ congestionControl: 'cubic' }, id).kernelControl, 'cubic');
    } else {
      const { neededBbr3, kernelControl } = plugin.bind({}, id);
      assert.deepEqual([neededBbr3, kernelControl], [null, null]);
    }
  });
}
