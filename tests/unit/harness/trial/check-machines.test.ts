import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import type { Condition } from '../../../../harness/definition/conditions.ts';
import { checkOverMachines } from '../../../../harness/trial/check-machines.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { application } from '../support/record.ts';

const registries = await loadRegistries();

/** Returns conditions with `service`, its default parameters and `params`, and a number of concurrent trials. */
function planOf(service: string, params: object = {}, change: { parallel?: number; tunnel?: object } = {}) {
  const all = registries.services.get(service)!.params.parse(params) as object;
  const { tunnel, parallel = 1 } = change;
  const one = application('a', 'baseline', service, all);
  const condition: Condition = {
    id: 'all',
    title: 'All',
    baseline: 'all',
    subject: 'a',
    link: plainLink(10e6, { unit: 'packets', value: 100 }, ['a']),
    applications: [tunnel === undefined ? one : { ...one, tunnel: tunnel as NonNullable<typeof one.tunnel> }],
  };
  return [[condition], parallel] as const;
}
const refused = (plan: ReturnType<typeof planOf>, message: RegExp) =>
  assert.throws(() => checkOverMachines(...plan, registries), { code: 'no-host', message });

test('what asks of its hosts what any host can do runs over other machines', () => {
  checkOverMachines(...planOf('iperf', { congestionControl: 'cubic' }), registries);
  checkOverMachines(...planOf('iperf', { congestionControl: 'bbr3' }), registries);
  checkOverMachines(...planOf('live-clip'), registries);
  checkOverMachines(...planOf('udp-flow'), registries);
});

test('the mend names the services that can run over other machines, those that the loader finds', () => {
  const mine = { ...registries.services.get('udp-flow')!, id: 'my-flow' };
  const more = { ...registries, services: new Map([...registries.services, ['my-flow', mine]]) };
  const hint = 'leave out --hosts, or take one of iperf, live-clip, udp-flow, voice';
  assert.throws(() => checkOverMachines(...planOf('web-page'), registries), { hint });
  assert.throws(() => checkOverMachines(...planOf('web-page'), more), { hint: `${hint}, my-flow` });
});

test('what needs this machine is refused in one line that names the application', () => {
  refused(
    planOf('web-page'),
    /^over --hosts the application a \(.*\) of condition all cannot run yet: it needs this machine$/,
  );
  const sized = planOf('iperf', { congestionControl: 'cubic', bytes: '1MB' });
  refused(sized, /flows of a size/);
  const hint = 'leave out --hosts, or what the application sets there';
  assert.throws(() => checkOverMachines(...sized, registries), { hint });
  refused(planOf('udp-flow', {}, { tunnel: { id: 'quic', params: {} } }), /its tunnel needs this machine$/);
  refused(
    planOf('udp-flow', {}, { parallel: 2 }),
    /^over --hosts 2 trials at once cannot run: the machines carry one$/,
  );
});
