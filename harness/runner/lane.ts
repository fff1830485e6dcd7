/**
 * One set of hosts with its link and its services: runs trials one after another, beside other lanes where there are
 * cores.
 */
import { isDeepStrictEqual } from 'node:util';
import { keepCoresAwake } from '../../core/awake-cores.ts';
import { CoexistError } from '../../core/errors.ts';
import { Lease } from '../../core/lease.ts';
import { type Link, pathOf, plainPath } from '../../core/link.ts';
import { localHost } from '../../core/local-host.ts';
import { defaultMeasure } from '../../core/measure.ts';
import {
  addressesOf,
  clientsOf,
  type DeviceReading,
  hostsOf,
  type Network,
  networkBetween,
  sumOf,
} from '../../core/network.ts';
import { boundOf, pick } from '../../core/plugins.ts';
import { type Capabilities, probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { capabilitiesIn, linkTraces } from '../../shaper/backend/link-traces.ts';
import { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { keepBbr3 } from '../../shaper/bbr3/shared-hold.ts';
import { type HeldPrecedence, takePrecedence } from '../../shaper/precedence/precedence.ts';
import { HostsBehind, leftEndOf, rightEndOf } from '../../shaper/topology/behind.ts';
import { Dumbbell, type DumbbellScheduling } from '../../shaper/topology/dumbbell.ts';
import type { LabMachine } from '../../shaper/topology/ssh/hosts-file.ts';
import { Lab } from '../../shaper/topology/ssh/lab.ts';
import type { TestNetwork } from '../../shaper/topology/topology.ts';
import { Uplink } from '../../shaper/topology/uplink.ts';
import type { Application } from '../experiment/applications.ts';
import type { Planned } from '../planner/planner.ts';
import { machineName } from '../record/machine-name.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { Software } from '../record/software.ts';
import type { SettingsReading, TrialFile } from '../record/trial-file.ts';
import type { ApplicationOptions } from './application-run.ts';
import type { LaneCores } from './cores.ts';
import { HostSettings, settingsFindings } from './host-settings.ts';
import { LinkProof } from './link-proof.ts';
import type { LiveTrial } from './live-trial.ts';
import { NetworkProof } from './network-proof.ts';
import type { RunnerRegistries } from './registries.ts';
import { ServicePool } from './service-pool.ts';
import { SocketDrops } from './socket-drops.ts';
import { runTrial } from './trial.ts';
import { verdictOf } from './verdict.ts';

export type LaneOptions = {
  study: string;
  /** Where trials are written to. */
  folder: Pick<RunFolder, 'begin' | 'commit' | 'discard'>;
  registries: RunnerRegistries;
  headed: boolean;
  signal: AbortSignal;
  /** Pairs of hosts. */
  places: number;
  /** Has each link proved before its first trial. Not over machines: the probes would need one clock. */
  preflight: boolean;
  /** Trials take precedence over other programs of this machine: true where not said. Not over machines. */
  priority?: boolean;
  /** The machines that trials run on; namespaces of this one where not said. */
  machines?: readonly LabMachine[];
  /** Services that stay ready in a place; 1 where not said. */
  keep?: number;
  /** What trials run on, for their records. */
  software?: Software;
  /** Name of this machine for the same; its host name where not said. */
  machine?: string;
  /** Lets what goes to the Internet reach private networks, too. */
  privateNetworks?: boolean;
};

type TrialEvents = { onPreflight(): void; onLive(values: LiveTrial): void };

type Place = {
  left: TestNetwork['left'][number];
  right: TestNetwork['right'][number];
  /** By the hosts that the services are in use between. */
  pools: Map<Network, ServicePool>;
  /** What is between its two hosts, by the direction of the application. */
  paths: Record<Application['direction'], Network>;
  /** Hosts behind those two, where the last application with a tunnel was. */
  behind?: { direction: Application['direction']; hosts: HostsBehind };
};

export class Lane {
  readonly #options: LaneOptions;
  readonly #lease: Lease;
  readonly #network: TestNetwork;
  readonly #shapedLink: ShapedLink;
  readonly #networkProof: NetworkProof;
  readonly #settings = new HostSettings(localHost);
  readonly #proof: LinkProof;
  readonly #places: Place[];
  readonly #scheduling: DumbbellScheduling;
  readonly #precedence: HeldPrecedence | undefined;
  readonly #awake = keepCoresAwake();
  /** From one trial to the next. */
  readonly #bbr3 = keepBbr3();

  private constructor(
    options: LaneOptions,
    lease: Lease,
    network: TestNetwork,
    can: Capabilities,
    scheduling: DumbbellScheduling = {},
    precedence?: HeldPrecedence,
  ) {
    this.#options = options;
    this.#lease = lease;
    this.#network = network;
    this.#shapedLink = new ShapedLink(network, options.registries.aqms, can);
    this.#networkProof = new NetworkProof(network);
    this.#proof = new LinkProof(this.#shapedLink, network, lease.scratch);
    this.#scheduling = scheduling;
    this.#precedence = precedence;
    this.#places = network.left.map((left, k) => {
      const right = network.right[k]!;
      return {
        left,
        right,
        pools: new Map(),
        paths: { down: networkBetween(left, right), up: networkBetween(right, left) },
      };
    });
  }

  static async open(options: LaneOptions, can: Capabilities, cores: LaneCores | null): Promise<Lane> {
    const lease = Lease.open();
    try {
      if (options.machines !== undefined) {
        const lab = await Lab.build(options.machines, options.places, linkTraces);
        return new Lane(
          { ...options, preflight: false },
          lease,
          lab,
          capabilitiesIn(probeCapabilities(lab.router), lab),
        );
      }
      const numbers = Array.from({ length: options.places }, (_, k) => k + 1);
      const sides = { left: numbers.map(k => `left-${k}`), right: numbers.map(k => `right-${k}`) };
      const precedence = options.priority === false ? undefined : await takePrecedence();
      const scheduling = { cores, ...(precedence === undefined ? {} : { precedence }) };
      try {
        const network = await Dumbbell.build(lease, sides, scheduling);
        return new Lane(options, lease, network, can, scheduling, precedence);
      } catch (error) {
        await precedence?.release();
        throw error;
      }
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** One try of a trial, whatever comes of it. Its folder is in its place when this has resolved. */
  async run(
    { trial, condition, times, places, furtherPlaces = [], measure = defaultMeasure }: Planned,
    attempt: number,
    { onPreflight, onLive }: TrialEvents,
  ): Promise<TrialFile> {
    const { study, folder, registries, signal, preflight, privateNetworks = false, software } = this.#options;
    const { machine = machineName() } = this.#options;
    const { lost } = this.#network;
    if (lost !== undefined)
      throw new CoexistError('no-host', lost.message, { hint: 'fix this, then continue with --resume', cause: lost });
    const pairs = places.map((place, k) => [place, ...(furtherPlaces[k] ?? [])]);
    const applications: Pick<ApplicationOptions, 'application' | 'network' | 'prepared' | 'tunnel'>[] = [];
    for (const [k, application] of condition.applications.entries())
      applications.push({ application, ...(await this.#prepare(application, pairs[k]!)) });
    const link = this.#linkOf(condition.link, condition.applications, pairs);
    const isOutside = ({ service: { id } }: Application) => pick(registries.services, id, 'service').isOutside;
    const outside = applications.filter(({ application }) => isOutside(application));
    const directory = folder.begin(trial.id);
    const hosts = applications.flatMap(({ network, tunnel }) =>
      [network, ...(tunnel === undefined ? [] : [tunnel.path])].flatMap(hostsOf),
    );
    const drops = new SocketDrops(hosts);
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
        received: () => this.#received(applications.map(({ network, tunnel }) => tunnel?.path ?? network)),
        signal,
        onLive,
        applications: applications.map(one =>
          outside.includes(one)
            ? { ...one, outside: { nameServer: uplink!.gateway, isRefused: uplink!.isRefused, lost: uplink!.lost } }
            : one,
        ),
        checkNetwork: async () => {
          await this.#network.begin();
          settings = await this.#settings.read([this.#network.router, ...hosts]);
          return this.#networkProof.of(
            pairs.flat(),
            applications.flatMap(({ tunnel }, k) =>
              tunnel === undefined ? [] : [this.#places[places[k]!]!.behind!.hosts],
            ),
          );
        },
        prove: async () => {
          const proof = preflight ? await this.#proof.of(link, trial.seed, { onStart: onPreflight, signal }) : null;
          await uplink?.keepClients();
          await drops.begin(); // what probes lost is not the trial's
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

  /** The condition's link, its paths by the names of the hosts on the left; one without an application has no delay. */
  #linkOf(link: Link, applications: readonly Application[], pairs: readonly (readonly number[])[]): Link {
    const used = applications.flatMap(({ name }, k) =>
      pairs[k]!.map(place => [this.#places[place]!.left.host.name, pathOf(link.paths, name)] as const),
    );
    const unused = this.#network.left.map(({ host: { name } }) => [name, plainPath] as const);
    return { ...link, paths: Object.fromEntries([...unused, ...used]) };
  }

  /** The hosts that the application is in use between, its service, ready there, and the tunnel between the two. */
  async #prepare(application: Application, [k, ...further]: readonly number[]) {
    const {
      registries: { services, tunnels },
      headed,
      keep,
      software,
    } = this.#options;
    const place = this.#places[k!]!;
    const path = await this.#pathOf(place, application.direction, further);
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
          ...(software === undefined ? {} : { files: software.files }),
          ...(keep === undefined ? {} : { keep }),
        })),
      );
    return {
      network,
      prepared: await pool.get(application),
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

  /** Between the server of a place and the clients there and at further places. Services stay ready while these stay. */
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

  /** Adds up what the clients of each network have taken. */
  async #received(networks: readonly Network[]): Promise<DeviceReading[]> {
    const clients = networks.map(network => clientsOf(network).map(({ host }) => host));
    const readings = await this.#network.received(clients.flat());
    return clients.map(({ length }) => sumOf(readings.splice(0, length)));
  }

  /** The hosts behind those of a place, made when a tunnel is to be between them for the first time. */
  async #behind(direction: Application['direction'], k: number): Promise<Network> {
    const place = this.#places[k]!;
    if (place.behind?.direction === direction) return place.behind.hosts.network;
    await this.#removeBehind(place);
    const [left, right] = [leftEndOf(place.left.host, k), rightEndOf(place.right.host, k)];
    const hosts = await HostsBehind.make(
      this.#lease,
      this.#network.router,
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

  async close(): Promise<void> {
    this.#awake.release();
    // what they could not stop dies with its namespace
    await Promise.all(
      this.#places.flatMap(({ pools }) => [...pools.values()].map(pool => pool.close().catch(() => {}))),
    );
    await Promise.all(this.#places.map(({ behind }) => behind?.hosts.remove()));
    await this.#bbr3.release(); // where it is another machine's, it is reached over the network
    await this.#shapedLink.clear().catch(() => {}); // as does the link
    await this.#network.remove();
    await this.#precedence?.release();
    this.#lease.release();
  }
}
