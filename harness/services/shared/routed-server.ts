/**
 * A service's server over TCP. A route sets the congestion control of its flows, which is verified on each flow.
 */
import { clientsOf } from '../../../core/system/network.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { StudyContext } from '../service.ts';
import { CongestionRoute } from './congestion-route.ts';
import { type ContentServer, type ContentServerOptions, originsOf, pagePort } from './content-server.ts';
import type { HttpConfig } from './http-program.ts';
import { ServerProgram } from './server-program.ts';

/** `secure`: true for HTTP/2 over TLS, false for HTTP/1.1. */
type RoutedServerOptions = ContentServerOptions & { secure: boolean };

export class RoutedServer implements ContentServer {
  readonly failed: Promise<never>;
  readonly pageOrigin: string;
  readonly origins: readonly string[];
  readonly browser: ContentServer['browser'];
  transport: TransportReading | null = null;
  readonly #route: CongestionRoute;
  readonly #program: ServerProgram;

  private constructor(
    route: CongestionRoute,
    program: ServerProgram,
    [pageOrigin, ...origins]: ReturnType<typeof originsOf>,
    secure: boolean,
  ) {
    this.#route = route;
    this.#program = program;
    this.pageOrigin = pageOrigin;
    this.origins = origins;
    this.browser = { quic: false, switches: secure ? ['--ignore-certificate-errors'] : [] };
    this.failed = Promise.race([route.failed, program.failed]);
    this.failed.catch(() => {});
  }

  static async open(
    { network }: StudyContext,
    { name, congestion, program, config, origins: count, secure }: RoutedServerOptions,
  ): Promise<RoutedServer> {
    const { server } = network.hosts;
    const address = network.addresses.server;
    const clients = clientsOf(network).map(client => client.address);
    const route = await CongestionRoute.open(
      { host: server, address, clients, firstPort: pagePort + 1, lastPort: pagePort + count },
      congestion,
    );
    try {
      const origins = originsOf(secure ? 'https' : 'http', address, count);
      const http: HttpConfig = { host: address, firstPort: pagePort, ports: count + 1, secure };
      const running = await ServerProgram.start(server, `${name}'s server`, program, {
        ...http,
        origins: origins.slice(1),
        ...config,
      });
      return new RoutedServer(route, running, origins, secure);
    } catch (error) {
      await route.close();
      throw error;
    }
  }

  async read(): Promise<void> {
    this.transport = (await this.#route.read()) ?? this.transport;
  }

  async close(): Promise<void> {
    await this.#program.close();
    await this.#route.close();
  }
}
