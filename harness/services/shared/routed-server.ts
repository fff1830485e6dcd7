/** A service's server on its host, whose flows take the congestion control that is asked for, and are asked which one they have. */
import type { FloodReading } from '../../record/trial-file.ts';
import type { StudyContext } from '../service.ts';
import { CongestionRoute } from './congestion-route.ts';
import type { HttpConfig } from './http-program.ts';
import { ServerProgram } from './server-program.ts';

/** Port of the page, apart from content: its files use connections of their own. The server has its host for itself. */
const pagePort = 8100;

export type RoutedServerOptions = {
  /** What people call the service, as in "the download". */
  name: string;
  congestionControl: string;
  program: URL;
  /** What the program is told beside where it listens. */
  config: object;
  /** Origins of its content, each a port: a browser keeps the connections to each apart. */
  origins: number;
  secure: boolean;
};

export class RoutedServer {
  readonly failed: Promise<never>;
  readonly pageOrigin: string;
  readonly origins: readonly string[];
  /** What was read of its flows last. */
  transport: FloodReading | null = null;
  readonly #route: CongestionRoute;
  readonly #program: ServerProgram;

  private constructor(route: CongestionRoute, program: ServerProgram, pageOrigin: string, origins: readonly string[]) {
    this.#route = route;
    this.#program = program;
    this.pageOrigin = pageOrigin;
    this.origins = origins;
    this.failed = Promise.race([route.failed, program.failed]);
    this.failed.catch(() => {});
  }

  static async open({ network: { hosts, addresses }, lease }: StudyContext, { name, congestionControl, program, config, origins: count, secure }: RoutedServerOptions): Promise<RoutedServer> {
    const address = addresses.server;
    const route = await CongestionRoute.open({ host: hosts.server, address, lease, firstPort: pagePort + 1, lastPort: pagePort + count }, congestionControl);
    try {
      const [pageOrigin, ...origins] = Array.from({ length: count + 1 }, (_, k) => `${secure ? 'https' : 'http'}://${address}:${pagePort + k}`);
      const http: HttpConfig = { host: address, firstPort: pagePort, ports: count + 1, secure };
      const running = await ServerProgram.start(hosts.server, `${name}'s server`, program, { ...http, origins, ...config });
      return new RoutedServer(route, running, pageOrigin!, origins);
    } catch (error) {
      await route.close();
      throw error;
    }
  }

  /** Reads what its flows use now. Throws `service-failed` where one uses something else. */
  async read(): Promise<void> {
    this.transport = await this.#route.read() ?? this.transport;
  }

  async close(): Promise<void> {
    await this.#program.close();
    await this.#route.close();
  }
}
