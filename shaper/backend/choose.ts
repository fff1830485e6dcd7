/** Which backend forms a link: the first that can do all of it, or the one that is asked for. */
import { CoexistError } from '../../harness/base/errors.ts';
import type { BackendId, Link, Way } from '../../harness/base/link.ts';
import type { AqmPlugin } from '../aqm/aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { Capabilities } from './capabilities.ts';

/** In the order of preference: what the kernel does itself comes first. */
const order: readonly BackendId[] = ['tc', 'tc+line', 'emulator'];

const ways = ({ ways: { server, flooder } }: Link) => [server, flooder];
const hasDelay = ({ downMs, upMs, rttMs }: Way) => downMs > 0 || upMs > 0 || rttMs !== null;
const needsLine = ({ jitterMs, reorder, duplicateRatio }: Way) => jitterMs > 0 || reorder !== null || duplicateRatio > 0;

async function kernelBottleneck(link: Link, aqm: AqmPlugin, can: Capabilities): Promise<string[]> {
  if (link.trace !== null) return ['the kernel cannot follow a packet-delivery trace'];
  const leaf = aqm.tc(link.aqm.params as never, aqmLimit(link));
  const noAqm = leaf === null ? 'no kernel has it' : await can.qdisc(`${leaf.kind} ${leaf.words}`);
  const noLoss = link.loss === null ? null : await can.loss();
  const noRate = await can.qdisc('htb default 10');
  return [
    ...(noRate === null ? [] : [`no htb (${noRate})`]),
    ...(noAqm === null ? [] : [`no ${aqm.title} in this kernel (${noAqm})`]),
    ...(noLoss === null ? [] : [`no random loss (${noLoss})`]),
  ];
}

async function line(can: Capabilities): Promise<string[]> {
  const noLine = await can.line();
  return noLine === null ? [] : [`no delay line (${noLine})`];
}

/** What keeps a backend from forming the link; empty where nothing does. */
const obstacles: Record<BackendId, (link: Link, aqm: AqmPlugin, can: Capabilities) => Promise<string[]>> = {
  'tc': async (link, aqm, can) => {
    const noNetem = ways(link).some(hasDelay) ? await can.netem() : null;
    return [
      ...await kernelBottleneck(link, aqm, can),
      ...(noNetem === null ? [] : [`no delay (netem: ${noNetem})`]),
      ...(ways(link).some(needsLine) ? ['netem cannot delay at random without reordering'] : []),
    ];
  },
  'tc+line': async (link, aqm, can) => [...await kernelBottleneck(link, aqm, can), ...await line(can)],
  'emulator': async (link, aqm, can) => [
    ...(aqm.emulate(link.aqm.params as never) === null ? [`it has no ${aqm.title}`] : []), ...await line(can),
  ],
};

/** Throws `missing-kernel-feature` that names what each backend lacks. */
export async function chooseBackend(link: Link, aqm: AqmPlugin, can: Capabilities): Promise<BackendId> {
  const nonsense = aqm.refuse?.(aqmLimit(link));
  if (nonsense != null) throw new CoexistError('bad-definition', `link.queue: ${nonsense}`);
  const candidates = link.backend === 'auto' ? order : [link.backend];
  const lacking: string[] = [];
  for (const id of candidates) {
    const found = await obstacles[id](link, aqm, can);
    if (found.length === 0) return id;
    lacking.push(`${id}: ${found.join(', ')}`);
  }
  throw new CoexistError('missing-kernel-feature', `this machine cannot form the link: ${lacking.join('; ')}`, {
    hint: `"npm run doctor" tells what each needs${link.backend === 'auto' ? '' : '; without link.backend the first that can is taken'}`,
  });
}
