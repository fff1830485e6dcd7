/**
 * `npm run doctor -- --hosts hosts.json`: lists the capabilities of the machines of a lab, and checks whether these
 * machines can be used together.
 */
import { exitStatus } from '../../core/errors.ts';
import { examineLab } from '../../shaper/doctor/lab/lab.ts';
import { labelOf } from '../services/shared/congestion-control.ts';
import { blockedBy, describeCapabilities } from './capabilities.ts';
import { printed, putJson } from './json-output.ts';
import { print } from './print.ts';

export async function examineHosts(hostsFile: string, json: string | undefined): Promise<number> {
  const report = await examineLab(hostsFile, version => labelOf('bbr', undefined, version).label);
  const parts = [...report.machines, { name: 'test network', capabilities: report.network }].filter(
    ({ capabilities }) => capabilities.length > 0,
  );
  const blocked = parts.flatMap(({ name, capabilities }) =>
    blockedBy(capabilities).map(({ title }) => `${name}: ${title}`),
  );
  const able = blocked.length === 0;
  const written = putJson(json, { able, ...report }, { indent: 1 });
  if (json !== printed) {
    for (const { name, capabilities } of parts) print(`${name}\n${describeCapabilities(capabilities)}\n`);
    print(
      able
        ? 'these machines can be used together\n'
        : `these machines cannot be used together: ${blocked.join('; ')}\n`,
    );
    print(written);
  }
  return able ? exitStatus.done : exitStatus.machineCannot;
}
