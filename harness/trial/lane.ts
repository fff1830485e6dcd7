/** A lane: hosts that run one trial after another, with their link and services. Several lanes may run in parallel. */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import { boundOf, pick } from '../../core/plugins.ts';
import { keepCoresAwake } from '../../core/system/awake-cores.ts';
import { Lease } from '../../core/system/lease.ts';
import { localHost } from '../../core/system/local-host.ts';
import {
  addressesOf,
  clientsOf,
  type DeviceReading,
  hostsOf,
  type Network,
  networkBetween,
  sumOf,
} from '../../core/system/network.ts';
import { Scope } from '../../core/system/scope.ts';
import { spanOf } from '../../core/vocabulary/hops.ts';
import type { HopSpan } from '../../core/vocabulary/link.ts';
import { defaultMeasure } from '../../core/vocabulary/measure.ts';
import { type Capabilities, probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { LinkChain } from '../../shaper/backend/link-chain.ts';
import { capabilitiesIn, linkTraces } from '../../shaper/backend/link-traces.ts';
import { keepBbr3 } from '../../shaper/bbr3/shared-hold.ts';
import { type HeldPrecedence, takePrecedence } from '../../shaper/precedence/precedence.ts';
import { endsAt, HostsBehind } from '../../shaper/topology/behind.ts';
import { Dumbbell, type DumbbellScheduling } from '../../shaper/topology/dumbbell.ts';
import { checkOwnRoute } from '../../shaper/topology/routes.ts';
import type { LabMachine } from '../../shaper/topology/ssh/hosts-file.ts';
import { Lab } from '../../shaper/topology/ssh/lab.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import { Uplink } from '../../shaper/topology/uplink.ts';
import type { Application } from '../definition/applications.ts';
import { machineName } from '../record/machine-name.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { Software } from '../record/software.ts';
import type { SettingsReading, TrialFile } from '../record/trial-file.ts';
import type { StudyContext } from '../services/service.ts';
import type { Planned } from '../studies/planner/planner.ts';
import { ChainProof } from './chain-proof.ts';
import type { LaneCores } from './cores.ts';
import { withHostPaths } from './host-paths.ts';
import { HostSettings, settingsFindings } from './host-settings.ts';
import { NetworkProof } from './network-proof.ts';
import type { RunnerRegistries } from './registries.ts';
import { ServicePool } from './service-pool.ts';
import { SocketDrops } from './socket-drops.ts';
import { runTrial } from './trial.ts';
import type { Onlookers, TrialOptions } from './trial-options.ts';
import { verdictOf } from './verdict.ts';

export type LaneOptions = {
  study: string;
  folder: Pick<RunFolder, 'begin' | 'commit' | 'discard'>;
  registries: RunnerRegistries;
  headed: boolean;
  /** Number of places (pairs of hosts). */
  places: number;
  /** Number of bottlenecks in a row, each on a router of its own. Default: 1. */
  hops?: number;
  /** Bottlenecks of the row between the hosts of each place; null or missing: all. */
  spans?: readonly (HopSpan | null)[];
  /** True: each link is proved before its first trial. Ignored on machines of a lab: the probes need one clock. */
  preflight: boolean;
  /** True (default): trials take precedence over other programs of this machine. Ignored on machines of a lab. */
  priority?: boolean;
  /** Machines of a lab on which trials run. Undefined: trials run in namespaces of this machine. */
  machines?: readonly LabMachine[];
  /** Number of services that stay ready in each network of a place. Default: 1. */
  keep?: number;
  /** Versions of the software on which trials run, for the record. */
  software?: Software;
  /** Name of this machine, for the record. Default: its host name. */
  machine?: string;
  /** True: services that use the Internet may also reach private networks. */
  privateNetworks?: boolean;
  /** Applications that are shown to people and not measured, by name. */
  shown?: Readonly<Record<string, Shown>>;
};

/** Properties of an application that is shown and not measured. */
export type Shown = {
  /** True: the client runs on the host of the server, so that the packets do not cross the link. */
  isPastLink?: boolean;
  /** True: the application begins and ends only by command (TrialCommands). */
  isOnDemand?: boolean;
  /** Position and title of the application's window. */
  window?: StudyContext['window'];
};

type TrialEvents = Onlookers & { signal: AbortSignal; onPreflight(): void };

type Place = {
  left: TestNetwork['left'][number];
  right: TestNetwork['right'][number];
  /** Bottlenecks between the two; null: all. */
  span: HopSpan | null;
  /** Pools of ready services, by the network in which the services run. */
  pools: Map<Network, ServicePool>;
  /** Networks between the two hosts, by the direction of the application's data. */
  paths: Record<Application['direction'], Network>;
  /** Network of an application whose client runs on the host of its server. */
  pastLink: Network;
  /** Hosts behind `left` and `right`, for the last application with a tunnel. */
  behind?: { direction: Application['direction']; hosts: HostsBehind };
};

export class Lane {
  readonly #options: LaneOptions;
  readonly #scope: Scope;
  readonly #lease: Lease;
  readonly #network: TestNetwork;
  readonly #shapedLink: LinkChain;
  readonly #networkProof: NetworkProof;
  readonly #settings = new HostSettings(localHost);
  readonly #proof: ChainProof;
  readonly #places: Place[];
  readonly #scheduling: DumbbellScheduling;
  readonly #precedence: HeldPrecedence | undefined;

  private constructor(
    options: LaneOptions,
    scope: Scope,
    lease: Lease,
    network: TestNetwork,
    can: Capabilities,
    scheduling: DumbbellScheduling = {},
    precedence?: HeldPrecedence,
  ) {
    this.#options = options;
    this.#scope = scope;
    this.#lease = lease;
    this.#network = network;
    this.#shapedLink = new LinkChain(network, options.registries.aqms, can);
    this.#networkProof = new NetworkProof(network);
    this.#proof = new ChainProof(this.#shapedLink, network, lease.scratch);
    this.#scheduling = scheduling;
    this.#precedence = precedence;
    this.#places = network.left.map((left, k) => {
      const right = network.right[k]!;
      return {
        left,
        right,
        span: options.spans?.[k] ?? null,
        pools: new Map(),
        paths: { down: networkBetween(left, right), up: networkBetween(right, left) },
        pastLink: networkBetween(left, left),
      };
    });
    scope.defer(() => this.#shapedLink.clear().catch(() => {})); // the network's removal removes the rest
    const bbr3 = keepBbr3(); // keeps BBRv3 loaded from one trial to the next
    scope.defer(() => bbr3.release()); // BBRv3 on another machine is reached over the network
    scope.defer(() => Promise.all(this.#places.map(({ behind }) => behind?.hosts.remove())));
    // services that fail to close end with their namespaces
    scope.defer(() =>
      Promise.all(this.#places.flatMap(({ pools }) => [...pools.values()].map(pool => pool.close().catch(() => {})))),
    );
    const awake = keepCoresAwake();
    scope.defer(() => awake.release());
  }

  static async open(options: LaneOptions, can: Capabilities, cores: LaneCores | null): Promise<Lane> {
    const scope = new Scope();
    try {
      const lease = await scope.open(Lease.open(), opened => opened.release());
      if (options.machines !== undefined) {
        const lab = await scope.open(Lab.build(options.machines!, options.places, linkTraces), built => built.remove());
        const canThere = capabilitiesIn(probeCapabilities(lab.router), lab);
        return new Lane({ ...options, preflight: false }, scope, lease, lab, canThere);
      }
      const numbers = Array.from({ length: options.places }, (_, k) => k + 1);
      const { spans = [] } = options;
      const sides = { left: numbers.map(k => `left-${k}`), right: numbers.map(k => `right-${k}`), spans };
      const precedence =
        options.priority === false ? undefined : await scope.open(takePrecedence(), held => held.release());
      const scheduling = { hops: options.hops ?? 1, cores, ...(precedence === undefined ? {} : { precedence }) };
      const network = await scope.open(Dumbbell.build(lease, sides, scheduling), built => built.remove());
      return new Lane(options, scope, lease, network, can, scheduling, precedence);
    } catch (error) {
      await scope.close();
      throw error;
    }
  }

  /**
   * Runs one attempt of a trial and returns its result, also if the trial failed. When this resolves, the trial's
   * folder is complete.
   */
  async run(
    { trial, condition, times, places, furtherPlaces = [], measure = defaultMeasure }: Planned,
    attempt: number,
    { signal, onPreflight, ...onlookers }: TrialEvents,
  ): Promise<TrialFile> {
    const { study, folder, registries, preflight, privateNetworks = false, software, shown = {} } = this.#options;
    const { machine = machineName() } = this.#options;
    const { lost } = this.#network;
    if (lost !== undefined)
      throw new CoexistError('no-host', lost.message, { hint: 'fix this, then continue with --resume', cause: lost });
    const pairs = places.map((place, k) => [place, ...(furtherPlaces[k] ?? [])]);
    // if preparations are given up, they end when their hosts are removed
    const applications = await Scope.run({ signal }, scope =>
      scope.race(allOf(condition.applications.map((application, k) => this.#prepare(application, pairs[k]!)))),
    );
    const isPast = ({ name }: Application) => shown[name]?.isPastLink === true;
    const onLink = condition.applications.flatMap((application, k) =>
      isPast(application) ? [] : [{ application, pair: pairs[k]! }],
    );
    const link = withHostPaths(condition.link, onLink, this.#places);
    const isOutside = ({ service: { id } }: Application) => pick(registries.services, id, 'service').isOutside;
    const outside = applications.filter(({ application }) => isOutside(application));
    const directory = folder.begin(trial.id);
    const hosts = new Set(
      applications.flatMap(({ network, tunnel }) => [network, tunnel?.path ?? network].flatMap(hostsOf)),
    );
    const drops = new SocketDrops([...hosts]);
    let settings: SettingsReading | undefined;
    let uplink: Uplink | undefined;
    try {
      if (outside.length > 0)
        uplink = await Uplink.open(
          this.#lease,
          outside.map(({ network }) => network.addresses.client),
          { privateToo: privateNetworks },
        );
      const measured = await runTrial({
        study,
        times,
        trial,
        condition,
        attempt,
        measure,
        directory,
        network: this.#network,
        shapedLink: this.#shapedLink,
        link,
        received: () =>
          this.#received(
            applications
              .filter(({ onDemand }) => onDemand === undefined)
              .map(({ network, tunnel }) => tunnel?.path ?? network),
          ),
        signal,
        ...onlookers,
        applications: applications.map(one =>
          outside.includes(one)
            ? { ...one, outside: { nameServer: uplink!.gateway, isRefused: uplink!.isRefused, lost: uplink!.lost } }
            : one,
        ),
        checkNetwork: async () => {
          await this.#network.begin();
          settings = await this.#settings.read([...this.#network.hops.map(({ router }) => router), ...hosts]);
          await Promise.all(
            applications
              .filter(({ application }) => isPast(application))
              .map(({ network: { hosts: ends, addresses } }) => checkOwnRoute(ends.server, addresses.server)),
          );
          return this.#networkProof.of(
            onLink.flatMap(({ pair }) => pair),
            applications.flatMap(({ tunnel }, k) =>
              tunnel === undefined ? [] : [this.#places[places[k]!]!.behind!.hosts],
            ),
          );
        },
        prove: async () => {
          const proof = preflight ? await this.#proof.of(link, trial.seed, { onStart: onPreflight, signal }) : null;
          await uplink?.keepClients();
          await drops.begin(); // after the probes, whose drops do not count
          return proof;
        },
      });
      const priority = this.#precedence?.reading;
      const file: TrialFile = {
        ...measured,
        verdict: verdictOf([
          ...measured.verdict.findings,
          ...(settings === undefined ? [] : settingsFindings(settings)),
          ...(measured.phases === null ? [] : await drops.findings()),
        ]),
        ...(settings === undefined ? {} : { settings }),
        machine,
        ...(priority === undefined ? {} : { priority }),
        ...(software === undefined ? {} : { software }),
      };
      folder.commit(directory, file);
      return file;
    } catch (error) {
      folder.discard(directory);
      throw error;
    } finally {
      await uplink?.close();
    }
  }

  /** Returns the hosts of the application, its tunnel, and its service, which is ready there. */
  async #prepare(
    application: Application,
    [k, ...further]: readonly number[],
  ): Promise<TrialOptions['applications'][number]> {
    const {
      registries: { services, tunnels },
      headed,
      keep,
      software,
      shown,
    } = this.#options;
    const { isPastLink = false, isOnDemand = false, window } = shown?.[application.name] ?? {};
    const place = this.#places[k!]!;
    const path = isPastLink ? place.pastLink : await this.#pathOf(place, application.direction, further);
    const network = application.tunnel === undefined ? path : await this.#behind(application.direction, k!);
    const { pools } = place;
    let pool = pools.get(network);
    if (pool === undefined)
      pools.set(
        network,
        (pool = new ServicePool({
          services,
          network,
          lease: this.#lease,
          headed,
          ...(window === undefined ? {} : { window }),
          ...(software === undefined ? {} : { files: software.files }),
          ...(keep === undefined ? {} : { keep }),
        })),
      );
    return {
      application,
      network,
      prepared: await pool.get(application),
      ...(isOnDemand ? { onDemand: changed => pool.get(changed) } : {}),
      ...(application.tunnel === undefined
        ? {}
        : {
            tunnel: {
              tunnel: boundOf(tunnels, application.tunnel, 'tunnel'),
              path,
              serverAddress: network.addresses.server,
            },
          }),
    };
  }

  /** Network of the server at `place` and of the clients there and at `further`. A change closes ready services. */
  async #pathOf(place: Place, direction: Application['direction'], further: readonly number[]): Promise<Network> {
    const [from, to] = direction === 'down' ? (['left', 'right'] as const) : (['right', 'left'] as const);
    const path = networkBetween(
      place[from],
      place[to],
      further.map(k => this.#places[k]![to]),
    );
    const known = place.paths[direction];
    if (isDeepStrictEqual(addressesOf(path), addressesOf(known))) return known;
    await place.pools.get(known)?.close();
    place.pools.delete(known);
    return (place.paths[direction] = path);
  }

  /** Returns, for each network, the sum of the data that its clients have received. */
  async #received(networks: readonly Network[]): Promise<DeviceReading[]> {
    const clients = networks.map(network => clientsOf(network).map(({ host }) => host));
    const readings = await this.#network.received(clients.flat());
    return clients.map(({ length }) => sumOf(readings.splice(0, length)));
  }

  /** Returns the hosts behind those of place `k`; creates them for the first tunnel in this direction. */
  async #behind(direction: Application['direction'], k: number): Promise<Network> {
    const place = this.#places[k]!;
    if (place.behind?.direction === direction) return place.behind.hosts.network;
    await this.#removeBehind(place);
    const routers = this.#network.hops.map(({ router }) => router);
    const ends = { left: place.left.host, right: place.right.host };
    const { left, right } = endsAt(k, ends, routers, spanOf(place.span, routers.length));
    const hosts = await HostsBehind.make(
      this.#lease,
      direction === 'down' ? { server: left, client: right } : { server: right, client: left },
      { ...this.#scheduling, cores: this.#scheduling.cores?.others ?? null },
    );
    place.behind = { direction, hosts };
    return hosts.network;
  }

  async #removeBehind(place: Place): Promise<void> {
    const { behind } = place;
    if (behind === undefined) return;
    delete place.behind;
    await place.pools.get(behind.hosts.network)?.close();
    place.pools.delete(behind.hosts.network);
    await behind.hosts.remove();
  }

  /** Closes all parts of the lane, even if some fail to close. */
  close(): Promise<void> {
    return this.#scope.close();
  }
}

/** Waits for all steps and returns their results. Throws the first error. */
async function allOf<T>(steps: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}
