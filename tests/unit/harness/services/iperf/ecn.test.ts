import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ecnRoute, requireEcn } from '../../../../../harness/services/iperf/ecn.ts';
import { layRoute, removeRoute } from '../../../../../harness/services/shared/policy-route.ts';
import { fakeHost } from '../../support/fake-host.ts';

const defaultRoute = '[{"dst":"default","gateway":"10.0.1.1","dev":"eth0"}]';

test('the end that connects asks for ECN by a route of the ports, which goes with the flows', async () => {
  const inputs: unknown[] = [];
  const host = fakeHost('true', defaultRoute);
  const watched = {
    ...host,
    run: (argv: readonly string[], options?: Parameters<typeof host.run>[1]) => {
      inputs.push(options?.input);
      return host.run(argv, options);
    },
  };
  const route = ecnRoute({ host: watched, address: '10.0.1.2' }, [5201, 5204]);
  await layRoute(route);
  assert.deepEqual(
    inputs
      .filter(input => input !== undefined)
      .join('')
      .trim()
      .split('\n'),
    [
      'route replace default via 10.0.1.1 dev eth0 features ecn table 5201',
      'rule add pref 5201 ipproto tcp dport 5201 lookup 5201',
      'rule add pref 5202 ipproto tcp dport 5204 lookup 5201',
    ],
  );
  host.asked.length = 0;
  await removeRoute(route);
  assert.deepEqual(host.asked, [
    ['ip', 'rule', 'del', 'pref', '5201'],
    ['ip', 'rule', 'del', 'pref', '5202'],
    ['ip', 'route', 'flush', 'table', '5201'],
  ]);
});

test('a host without a default route is refused', async () => {
  await assert.rejects(layRoute(ecnRoute({ host: fakeHost('true', '[]'), address: '10.0.1.2' }, [5201])), {
    code: 'link-refused',
  });
});

test('a flow without ECN fails the service', () => {
  requireEcn([{ ecn: true }, { ecn: true }]);
  assert.throws(() => requireEcn([{ ecn: true }, {}]), { code: 'service-failed', message: /does not use ECN/ });
});
