/**
 * Tests of the features of a kernel. Each test tries to create the feature in a network namespace that exists only as
 * long as the command, so nothing is left behind. The attempt also loads the kernel modules.
 */
import { existsSync } from 'node:fs';
import { type Host, isThisMachine } from '../../core/system/host.ts';
import { localHost } from '../../core/system/local-host.ts';
import { linkProgram } from '../emulator/link-program.ts';
import { stationsAround } from '../mahimahi/around.ts';
import { whyNoShells } from '../mahimahi/programs.ts';
import { queueLogLoader, queueLogObject } from '../queue-log/recorder.ts';
import { lossLoader, lossObject } from '../tc/loss.ts';

export type Capabilities = {
  /**
   * Returns the reason why the queue discipline `words` (in the words of tc(8)) is not available; null if it is
   * available.
   */
  qdisc(words: string): Promise<string | null>;
  /**
   * Returns the reason why netem, also on incoming packets by ifb devices, is not available; null if it is available.
   */
  netem(): Promise<string | null>;
  /** Returns the reason why the native program for delay lines and emulated links cannot run; null if it can. */
  line(): Promise<string | null>;
  loss(): Promise<string | null>;
  /** Returns the reason why the shells of mahimahi cannot run; null if they can. */
  shells(): Promise<string | null>;
  /** Returns the reason why no shell of mahimahi around this command can be the link; null if one can. */
  shellsAround(): Promise<string | null>;
  /** Returns the reason why the log of every packet at a kernel queue is not available; null if it is available. */
  queueLog(): Promise<string | null>;
};

async function tryOn(host: Host, argv: readonly string[]): Promise<string | null> {
  const { status, stderr } = await host.run(['unshare', '--net', '--', ...argv], { allowFailure: true });
  return status === 0 ? null : stderr.trim().split('\n').at(-1) || `failed with status ${status}`;
}

/** Returns the tests for a host. Each result is cached, because a kernel does not change during a run. */
export function probeCapabilities(host: Host = localHost): Capabilities {
  const reason = (argv: readonly string[]) => tryOn(host, argv);
  const answers = new Map<string, Promise<string | null>>();
  const once = (key: string, attempt: () => Promise<string | null>) => {
    const answer = answers.get(key) ?? attempt();
    answers.set(key, answer);
    return answer;
  };
  const qdisc = (words: string) =>
    once(`qdisc ${words}`, () => reason(['tc', 'qdisc', 'add', 'dev', 'lo', 'root', ...words.split(' ')]));
  return {
    qdisc,
    netem: () =>
      once(
        'netem',
        async () =>
          (await qdisc('netem delay 1ms limit 1000')) ?? reason(['ip', 'link', 'add', 'name', 'probe', 'type', 'ifb']),
      ),
    line: () =>
      once('line', async () => {
        if (!existsSync(linkProgram)) return 'the native helper is not built';
        // with empty input the program ends as soon as it is ready
        return reason([
          'sh',
          '-c',
          'ip link add name probe type veth peer name other && exec "$@" </dev/null >/dev/null',
          'sh',
          await host.give(linkProgram),
          '--down',
          'probe',
          '--up',
          'other',
        ]);
      }),
    shells: () =>
      once('shells', async () =>
        isThisMachine(host) ? whyNoShells(host) : 'the shells of mahimahi form links on this machine only',
      ),
    shellsAround: async () => {
      if (!isThisMachine(host)) return 'the shells around this command are on this machine only';
      return stationsAround().length > 1 ? null : 'this command runs in no shell of mahimahi';
    },
    queueLog: () =>
      once('queue log', async () => {
        if (!existsSync(queueLogLoader) || !existsSync(queueLogObject)) return 'the native helper is not built';
        // with empty input the program ends as soon as it is ready
        return reason([await host.give(queueLogLoader), await host.give(queueLogObject), 'lo', '/dev/null']);
      }),
    loss: () =>
      once('loss', async () => {
        if (!existsSync(lossLoader) || !existsSync(lossObject)) return 'the native helper is not built';
        return reason([
          'sh',
          '-c',
          `tc qdisc add dev lo clsact && exec "$@"`,
          'sh',
          await host.give(lossLoader),
          'attach',
          await host.give(lossObject),
          'lo',
          'egress',
          '1',
          'independent',
          '0',
        ]);
      }),
  };
}
