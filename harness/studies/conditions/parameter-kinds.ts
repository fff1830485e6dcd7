/**
 * Finds the kind of quantity (such as a rate or a duration) of each parameter of the plug-ins, from their schemas.
 * Reports need these kinds but may not load plug-ins.
 */
import type { Plugin } from '../../../core/plugins.ts';
import { quantityKinds } from '../../../core/schema/schema-facts.ts';
import type { ParameterKinds } from '../../../reports/parameters.ts';

export function parameterKinds({
  services,
  aqms,
  tunnels,
}: Record<keyof ParameterKinds, ReadonlyMap<string, Plugin>>): ParameterKinds {
  const kindsOf = (plugins: ReadonlyMap<string, Plugin>) =>
    Object.fromEntries([...plugins].map(([id, { params }]) => [id, quantityKinds(params)]));
  return { services: kindsOf(services), aqms: kindsOf(aqms), tunnels: kindsOf(tunnels) };
}
