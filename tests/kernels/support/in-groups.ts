/**
 * A program: what control groups of the product do in the kernel that it runs in, whose cgroup v2 is at the first word.
 * Prints JSON. Its temporary folder has to be one that it may write to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { ControlGroup, findGroupPlace, removeNotedGroups } from '../../../core/system/control-group.ts';

const [mount] = process.argv.slice(2);
const limits = { memoryBytes: 64 * 2 ** 20, tasks: 8 };
const scratch = mkdtempSync(join(tmpdir(), 'coexist-groups-'));

/** What comes of a command line in a group of its own. */
async function inGroup(parent: string, words: readonly string[]) {
  const group = ControlGroup.make(parent, limits);
  try {
    const { status, signal } = await run(group.command(words), { allowFailure: true });
    return { status, signal, ...group.use(), ...group.held() };
  } finally {
    await group.remove();
  }
}

const before = await findGroupPlace();
writeFileSync(join(mount!, 'cgroup.subtree_control'), '+memory +pids');
const place = await findGroupPlace();
if ('obstacle' in place) throw new Error(place.obstacle);

const modest = await inGroup(place.parent, ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=16M', 'count=1']);
const greedy = await inGroup(place.parent, ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=128M', 'count=1']);
const crowd = await inGroup(place.parent, [
  'sh',
  '-c',
  'for k in 1 2 3 4 5 6 7 8 9 10; do sleep 100 >/dev/null 2>&1 & done; echo begun',
]);
const file = await inGroup(place.parent, ['dd', 'if=/dev/zero', `of=${scratch}/full`, 'bs=1M', 'count=128']);

mkdirSync(join(scratch, 'browser-1'));
const left = ControlGroup.make(place.parent, limits, join(scratch, 'browser-1'));
const [program, ...words] = left.command(['sleep', '100']);
const sleeper = spawn(program!, words, { stdio: 'ignore' });
const ended = once(sleeper, 'exit');
while (left.use().processes === 0 || sleeper.pid === undefined) await new Promise(resolve => setTimeout(resolve, 50));
const noted = await removeNotedGroups(scratch);
const [, signal] = (await ended) as [number | null, string | null];

process.stdout.write(
  JSON.stringify({
    before,
    place,
    modest,
    greedy,
    crowd,
    file,
    removed: { noted: noted.length, signal, isThere: existsSync(left.path) },
    left: readdirSync(mount!).filter(name => name.startsWith('coexist-')),
  }),
);
