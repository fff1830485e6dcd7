/** Checks a lab before a study: every machine, the routes, the round-trip times and the clocks. */

import { CoexistError } from '../../../core/errors.ts';
import type { Capability } from '../../../core/system/capability.ts';
import type { ClockSample } from '../../../core/system/clock-estimate.ts';
import { sleep } from '../../../core/system/deadline.ts';
import { checkPings, checkRoutesOf, pairsOf } from '../../topology/routes.ts';
import { assign, type LabMachine, readHostsFile } from '../../topology/ssh/hosts-file.ts';
import { SshHost } from '../../topology/ssh/ssh-host.ts';
import { isInSameNetwork, type TestDevice } from '../../topology/ssh/test-device.ts';
import { type ProbePlan, sendProbes } from '../../topology/ssh/udp-probe.ts';
import { tried } from '../tried.ts';
import { type Between, describeBetween, devicesBetween, judgeBetween } from './between.ts';
import { examineMachine, noPart } from './machine.ts';

/** Bursts of `count` probes for a clock's offset. Two bursts, `betweenBurstsMs` apart, show the drift as well. */
const burst = { count: 40, intervalMs: 3 };
const betweenBurstsMs = 5000;
/** Number of samples over an SSH connection. Answers take longer there, and fewer samples suffice. */
const sshSamples = 20;

const thisMachine = 'this machine';

type LabReport = {
  machines: { name: string; capabilities: Capability[] }[];
  /** Capabilities of the routes, followed by those of the measurements between machines. */
  network: Capability[];
  between: Between[];
};

type Connected = { machine: LabMachine; host: SshHost; devices: TestDevice[]; ports: Map<string, number> };

async function connect(machine: LabMachine): Promise<{ reached: Capability; host: SshHost | undefined }> {
  const need = {
    id: 'reached',
    title: 'reached by ssh',
    required: true,
    cost: noPart,
  };
  try {
    const host = await SshHost.connect(machine.name, machine.destination);
    const end = host.isContained
      ? 'the kernel ends what a lost connection leaves'
      : 'without a PID namespace: a program that leaves its process group may outlive a lost connection';
    return { host, reached: { ...need, works: true, found: `Node ${host.nodeVersion}; ${end}`, mend: '' } };
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    const found = error.message.replace(`machine "${machine.name}": `, '');
    return {
      host: undefined,
      reached: { ...need, works: false, found, mend: error.hint ?? `ssh -v ${machine.destination.ssh} true` },
    };
  }
}

async function examine(
  host: SshHost,
  machine: LabMachine,
  nameOfBbr: (version: string | undefined) => string,
): Promise<{ capabilities: Capability[]; connected: Connected | undefined }> {
  try {
    const looking = examineMachine(host, machine, nameOfBbr);
    looking.catch(() => {}); // for a lost machine only the loss is reported
    const { devices, capabilities } = await Promise.race([looking, host.failed]);
    const ports = new Map<string, number>();
    for (const { address } of devices) ports.set(address, await host.echo(address));
    return { capabilities, connected: { machine, host, devices, ports } };
  } catch (error) {
    return { capabilities: [await describeLoss(error)], connected: undefined };
  }
}

const describeLoss = (error: unknown) =>
  tried(
    {
      id: 'kept',
      title: 'stays reached',
      required: true,
      cost: noPart,
      mend: 'look for the reason on the machine, in its log and in that of its sshd',
    },
    () => Promise.reject(error),
  );

type Way = {
  from: string;
  to: string;
  required: boolean;
  probe(): Promise<ClockSample[]>;
  /** Returns samples over the SSH connection; used if no probe over the test network is answered. */
  otherwise?(): Promise<ClockSample[]>;
};

const isEither = (one: Connected, role: 'left' | 'right') => one.machine.roles.includes(role);
const mayTalk = (a: Connected, b: Connected) =>
  (isEither(a, 'left') && isEither(b, 'right')) || (isEither(a, 'right') && isEither(b, 'left'));

/** Returns the ways from this machine to each other one, and between every two machines. */
function waysBetween(all: readonly Connected[]): Way[] {
  const plan = (from: string, device: TestDevice, to: Connected): ProbePlan => ({
    ...burst,
    from,
    to: device.address,
    port: to.ports.get(device.address)!,
  });
  const fromHere = all.flatMap((to): Way[] => {
    const device = to.devices[0];
    if (device === undefined) return [];
    return [
      {
        from: thisMachine,
        to: to.machine.name,
        required: false,
        probe: () => sendProbes(plan('0.0.0.0', device, to)),
        otherwise: () => to.host.clockSamples(sshSamples),
      },
    ];
  });
  const others = all.flatMap((from, k) =>
    all.slice(k + 1).flatMap((to): Way[] => {
      const devices = devicesBetween(from.devices, to.devices);
      if (devices === undefined) return [];
      return [
        {
          from: from.machine.name,
          to: to.machine.name,
          required: mayTalk(from, to),
          probe: () => from.host.probe(plan(devices.from.address, devices.to, to)),
        },
      ];
    }),
  );
  return [...fromHere, ...others];
}

/** Measures one pair of machines after another, so that no measurement disturbs another. */
async function measure(ways: readonly Way[]): Promise<{ between: Between; required: boolean }[]> {
  /** Returns the samples; none if the machine was lost. The caller reports the loss elsewhere. */
  const unlessLost = async (samples: Promise<ClockSample[]> | undefined): Promise<ClockSample[]> => {
    try {
      return (await samples) ?? [];
    } catch (error) {
      if (error instanceof CoexistError) return [];
      throw error;
    }
  };
  const burstOf = async ({ probe, otherwise }: Way) => ({
    probes: await unlessLost(probe()),
    others: await unlessLost(otherwise?.()),
  });
  const first = [];
  for (const way of ways) first.push(await burstOf(way));
  await sleep(betweenBurstsMs);
  const measured = [];
  for (const [k, way] of ways.entries()) {
    const [before, after] = [first[k]!, await burstOf(way)];
    const isSilent = before.probes.length + after.probes.length === 0;
    const overSsh = isSilent && way.otherwise !== undefined;
    measured.push({
      required: way.required,
      between: overSsh
        ? judgeBetween(way.from, way.to, 'ssh', { first: before.others, second: after.others, sent: 2 * sshSamples })
        : judgeBetween(way.from, way.to, 'test network', {
            first: before.probes,
            second: after.probes,
            sent: 2 * burst.count,
          }),
    });
  }
  return measured;
}

/** Checks that both directions between two machines lead over the router only. Returns the finding. */
function proveRoute(left: Connected, right: Connected, router: Connected): Promise<Capability> {
  const need = {
    id: `route-${left.machine.name}-${right.machine.name}`,
    title: `route ${left.machine.name} - ${right.machine.name}`,
    required: true,
    cost: 'no trial between them: their packets would not pass the bottleneck',
    mend:
      `give each a route to the other one's network by way of ${router.machine.name}: ` +
      'ip route add NETWORK via ADDRESS; and let no redirects in: sysctl -w net.ipv4.conf.all.accept_redirects=0',
  };
  const at = ({ machine, devices: [own] }: Connected) => {
    const via = own && router.devices.find(device => isInSameNetwork(device, own));
    if (own !== undefined && via !== undefined) return { own, via: via.address };
    throw new CoexistError('link-refused', `${router.machine.name} has no device in the network of ${machine.name}`);
  };
  return tried(need, async () => {
    const [a, b] = [at(left), at(right)];
    await checkRoutesOf(left.host, [b.own], a.via);
    await checkRoutesOf(right.host, [a.own], b.via);
    await checkPings(
      pairsOf([{ host: left.host, address: a.own.address }], [{ host: right.host, address: b.own.address }]),
    );
    return `by ${a.via} and ${b.via} of ${router.machine.name}, over one router`;
  });
}

/**
 * Examines all machines of a lab and the network between them. `nameOfBbr`: returns the name of a kernel's "bbr" for
 * its module version. Nothing is left on the machines.
 */
export async function examineLab(
  hostsFile: string,
  nameOfBbr: (version: string | undefined) => string,
): Promise<LabReport> {
  const machines = readHostsFile(hostsFile);
  const reached = await Promise.all(machines.map(connect));
  try {
    const examined = await Promise.all(
      reached.map(async ({ host }, k) => (host === undefined ? undefined : examine(host, machines[k]!, nameOfBbr))),
    );
    const connected = examined.flatMap(one => one?.connected ?? []);
    const router = connected.find(({ machine }) => machine === assign(machines)?.router);
    const routes =
      router === undefined
        ? []
        : connected
            .flatMap((a, k) => connected.slice(k + 1).map(b => [a, b] as const))
            .filter(([a, b]) => a !== router && b !== router && mayTalk(a, b))
            .map(([a, b]) => proveRoute(a, b, router));
    const proved = await Promise.all(routes);
    const measured = await measure(waysBetween(connected));
    const listed = machines.map(async ({ name }, k) => {
      const capabilities = [reached[k]!.reached, ...(examined[k]?.capabilities ?? [])];
      const lost = examined[k]?.connected?.host.lost;
      return { name, capabilities: lost === undefined ? capabilities : [...capabilities, await describeLoss(lost)] };
    });
    return {
      machines: await Promise.all(listed),
      network: [...proved, ...measured.map(({ between, required }) => describeBetween(between, required))],
      between: measured.map(({ between }) => between),
    };
  } finally {
    await Promise.all(reached.map(({ host }) => host?.close()));
  }
}
