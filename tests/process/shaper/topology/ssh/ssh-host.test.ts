/** The agent as the program that arrives on a machine. The machine is this one, without ssh in between. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { nowMs } from '../../../../../core/system/clock.ts';
import { run as runHere } from '../../../../../core/system/command.ts';
import { until, within } from '../../../../../core/system/deadline.ts';
import { encodeFrame } from '../../../../../shaper/topology/ssh/frames.ts';
import { agentCommand, agentProgram, preamble, sshCommand } from '../../../../../shaper/topology/ssh/launch.ts';
import { SshHost } from '../../../../../shaper/topology/ssh/ssh-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'coexist-ssh-host-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const destination = { ssh: 'root@left.lab', port: null, configFile: null, node: process.execPath };

async function connected(t: TestContext, node = process.execPath): Promise<SshHost> {
  const host = await SshHost.connect('left', { ...destination, node }, agentCommand(node));
  t.after(() => host.close());
  return host;
}

/** Ids of this machine's processes with this word in their command line. */
function withWord(word: string): number[] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** A duration of sleep that no other process has. */
let unlike = 0;
const uniqueSeconds = () => `${100_000 + process.pid}.${++unlike}`;
const noneWith = (word: string) =>
  until(() => (withWord(word).length === 0 ? true : undefined), 20_000, `the end of sleep ${word}`);

/** A program that starts another one in the background, and one that leaves its session. */
async function startFamily(host: SshHost, word: string): Promise<void> {
  const child = host.start('family', ['sh', '-c', `sleep ${word} & setsid sleep ${word} & echo up; wait`]);
  await within(once(child.process.stdout!, 'data'), 20_000, 'the family');
  await until(() => (withWord(word).length === 2 ? true : undefined), 20_000, 'two of the family');
}

test('it runs programs, and says where they are missing', async t => {
  const host = await connected(t);
  const { stdout } = await host.run(['sh', '-c', 'cat; printf %s "$WORD"'], {
    input: 'in ',
    env: { ...process.env, WORD: 'x' },
  });
  assert.equal(stdout, 'in x');
  assert.equal(host.nodeVersion, process.versions.node);
  await assert.rejects(host.run(['false']), /"false" failed with status 1/);
  await assert.rejects(host.run(['no-such-program']), /is not installed on machine "left"/);
  await assert.rejects(host.run(['yes']), { message: 'machine "left": "yes" wrote more than 64 MiB' });
  const { signal } = await host.run(['sleep', '60'], { timeoutMs: 50, allowFailure: true });
  assert.equal(signal, 'SIGKILL');
  assert.deepEqual(await host.processIds(), []);
});

test('a machine that never says that a program has ended is not waited for', async t => {
  // between agent and harness: reports the end of a program that does not exist
  const changing = `const { spawn } = require('node:child_process');
    const [file, ...words] = process.argv.slice(1);
    const agent = spawn(file, words, { stdio: ['inherit', 'pipe', 'inherit'] });
    agent.stdout.on('data', bytes => {
      const text = bytes.toString('latin1').replace(/("type":"exit","id":)\\d/g, '$19');
      process.stdout.write(Buffer.from(text, 'latin1'));
    });`;
  const argv = [process.execPath, '-e', changing, ...agentCommand(process.execPath)];
  const host = await SshHost.connect('left', destination, argv);
  t.after(() => host.close());
  await assert.rejects(host.run(['true'], { timeoutMs: 100 }), {
    code: 'host-lost',
    message: 'timed out after 5.1 s waiting for machine "left" to end "true"',
  });
});

test('files of ours are given to it once, programs and modules of ours run there, and what they write is brought', async t => {
  const host = await connected(t);
  const program = join(folder, 'say');
  writeFileSync(program, '#!/bin/sh\nprintf "said %s" "$1" > "$2"\n', { mode: 0o755 });
  const there = await host.give(program);
  assert.notEqual(there, program);
  assert.equal(await host.give(program), there);
  const wanted = join(folder, 'wanted');
  await host.run([there, 'so', host.placeOf(wanted)]);
  assert.equal(existsSync(wanted), false);
  await host.bring(wanted);
  assert.equal(readFileSync(wanted, 'utf8'), 'said so');
  await assert.rejects(host.read(host.placeOf(wanted)), /No such file/);
  await assert.rejects(host.bring(wanted), { code: 'probe-died', message: /could not be read: .*No such file/ });
  const module = join(folder, 'adds.ts');
  writeFileSync(
    module,
    "import { argv } from 'node:process';\nimport { two } from './two.ts';\n" +
      'const one: number = await Promise.resolve(1);\nconsole.log(one + two, argv[2]);\n',
  );
  writeFileSync(join(folder, 'two.ts'), 'export const two: number = 2;\n');
  const words = await host.moduleWords(pathToFileURL(module));
  assert.equal((await host.run([...words, 'told'])).stdout, '3 told\n');
  assert.deepEqual(host.sent.map(name => name.replace(/^[0-9a-f]{16}-/, '')).sort(), ['adds.mjs', 'say']);
  assert.equal(await host.read('/proc/sys/kernel/ostype'), 'Linux\n');
});

test('a file larger than a part of it, and whole folders, arrive as they are', async t => {
  const host = await connected(t);
  const large = join(folder, 'large');
  const bytes = Buffer.alloc(40e6, 'so on and on, and never the same as before: ');
  bytes.writeUInt32BE(7, 20e6);
  writeFileSync(large, bytes);
  const sum = async (run: SshHost['run'], path: string) => (await run(['sha256sum', path])).stdout.slice(0, 64);
  assert.equal(await sum(host.run.bind(host), await host.give(large)), await sum(runHere, large));

  const words = await host.programWords(new URL('../../../../../core/schema/schema.ts', import.meta.url), ['core']);
  const schema = words.at(-1)!;
  assert.equal((await host.run([words[0]!, '--version'])).stdout, `${process.version}\n`);
  const asks = `import(${JSON.stringify(schema)}).then(({ z }) => console.log(z.number().parse(3)))`;
  assert.equal((await host.run([...words.slice(0, -1), '-e', asks])).stdout, '3\n');
  assert.deepEqual(
    await host.programWords(new URL('../../../../../core/schema/schema.ts', import.meta.url), ['core']),
    words,
  );
  const module = new URL('../../../../../core/schema/schema.ts', import.meta.url);
  const withOption = await host.programWords(module, ['core'], ['--initial-heap-size=64']);
  assert.deepEqual(withOption, [...words.slice(0, -1), '--initial-heap-size=64', schema]);

  const own = mkdtempSync(join(folder, 'own-'));
  const there = await host.folderOf(own);
  await host.run(['sh', '-c', 'printf so > "$1/a"', 'sh', there]);
  await host.bring(join(own, 'a'), join(there, 'a'));
  assert.equal(readFileSync(join(own, 'a'), 'utf8'), 'so');
});

test('what runs there can be counted and ended', async t => {
  const host = await connected(t);
  const child = host.start('busy', ['sh', '-c', 'while :; do :; done']);
  const ids = await until(
    async () => ((await host.processIds()).length > 0 ? host.processIds() : undefined),
    30_000,
    'it',
  );
  await until(async () => ((await host.cpuSeconds(ids)) > 0.05 ? true : undefined), 20_000, 'its CPU time');
  assert.equal(await host.cpuSeconds([]), 0);
  await host.endProcesses(ids);
  assert.deepEqual(await child.ended, { status: null, signal: 'SIGKILL' });
});

test('its clocks are brought to that of the harness, within what is known', async t => {
  const host = await connected(t);
  assert.throws(() => host.clocks(), /was not measured/);
  await host.beginClock('127.0.0.1');
  const { over, estimate } = await host.endClock('127.0.0.1');
  assert.equal(over, 'test network');
  assert.ok(estimate.second !== null);
  const { wallOffsetMs, monotonicOffsetMs, uncertaintyMs } = host.clocks();
  assert.ok(uncertaintyMs > 0 && uncertaintyMs < 50, `${uncertaintyMs}`);
  // the same clock, apart from the time origins of the two processes
  const beforeMs = nowMs();
  const monotonicMs = Number(process.hrtime.bigint()) / 1e6 + monotonicOffsetMs;
  assert.ok(monotonicMs > beforeMs - uncertaintyMs - 20 && monotonicMs < nowMs() + uncertaintyMs + 20);
  assert.ok(Math.abs(wallOffsetMs) < uncertaintyMs + 100);
});

test('what was changed is undone, and its folder is gone, when it is closed and when its agent is killed', async t => {
  for (const isKilled of [false, true]) {
    const host = await connected(t);
    const undone = join(folder, `undone-${isKilled}`);
    const place = await host.give(join(folder, 'say'));
    await host.undoAtEnd([`echo first >> ${undone}`]);
    await host.undoAtEnd(['false', `echo last >> ${undone}`]);
    assert.equal(existsSync(undone), false);
    if (isKilled) {
      const lost = assert.rejects(host.failed, { code: 'host-lost' });
      await host.run(['sh', '-c', 'kill -KILL $PPID']).catch(() => {});
      await lost;
    } else await host.close();
    await until(() => (!existsSync(dirname(place)) ? true : undefined), 30_000, 'the end of it');
    assert.equal(readFileSync(undone, 'utf8'), 'last\nfirst\n');
  }
});

test('when it is closed nothing is left', async t => {
  const host = await connected(t);
  const word = uniqueSeconds();
  const child = host.start('sleep', ['sleep', word]);
  await until(() => (withWord(word).length === 1 ? true : undefined), 20_000, 'sleep');
  await host.close();
  await noneWith(word);
  await child.ended;
});

test('an agent that is killed takes everything with it, and the machine is lost', async t => {
  const host = await connected(t);
  if (!host.isContained) return t.skip('this machine gives no PID namespace');
  const word = uniqueSeconds();
  await startFamily(host, word);
  const lost = assert.rejects(host.failed, {
    code: 'host-lost',
    message: /^machine "left": the connection was lost \(ssh ended with \d+.*\)$/,
  });
  // the agent is the parent of the programs that it starts
  await host.run(['sh', '-c', 'kill -KILL $PPID']).catch(() => {});
  await lost;
  await noneWith(word);
});

test('one whose output nobody takes still notices that nobody orders', async () => {
  const [file, ...words] = agentCommand(process.execPath);
  const process_ = spawn(file!, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(process_, 'close');
  const word = uniqueSeconds();
  const start = (id: number, script: string) =>
    encodeFrame({ type: 'start', id, argv: ['sh', '-c', script], environment: {}, folder: null });
  process_.stdin.write(preamble(agentProgram()));
  process_.stdin.write(encodeFrame({ type: 'hello', protocol: 2, silenceMs: 4000 }));
  process_.stdin.write(start(1, 'exec yes'));
  process_.stdin.write(start(2, `exec sleep ${word}`));
  await once(process_.stdout, 'readable'); // output has arrived, and is never read
  await until(() => (withWord(word).length === 1 ? true : undefined), 20_000, 'sleep');
  await noneWith(word);
  process_.stdout.destroy();
  await within(ended, 20_000, 'the agent to end');
});

test('a machine without Node, or with one that is too old, is told in one line with what to do', async t => {
  await assert.rejects(connected(t, '/nowhere/node'), {
    code: 'no-host',
    message: 'machine "left": it has no program "/nowhere/node"',
    hint: /^install Node 20 or newer there .* "node": "\/path\/to\/node"$/,
  });
  const old = join(folder, 'node');
  writeFileSync(
    old,
    `#!/bin/sh\nexec ${process.execPath} -e 'Object.defineProperty(process.versions, "node", { value: "18.20.2" });'"$2"\n`,
    {
      mode: 0o755,
    },
  );
  await assert.rejects(connected(t, old), {
    code: 'no-host',
    message: `machine "left": its "${old}" is older than Node 20`,
  });
});

test('a connection that fails is told in the words of ssh, with how to try it', async () => {
  const argv = ['sh', '-c', 'echo "Host key verification failed." >&2; exit 255'];
  await assert.rejects(SshHost.connect('left', { ...destination, port: 2222 }, argv), {
    code: 'no-host',
    message: 'machine "left": ssh root@left.lab could not connect: Host key verification failed.',
    hint: 'this must work without a question: ssh -p 2222 -o BatchMode=yes root@left.lab true',
  });
});

test('ssh asks nothing, shares no connection, and takes the destination for nothing else', () => {
  const argv = sshCommand({ ...destination, port: 2222, configFile: '/lab/ssh_config' });
  assert.equal(argv[0], 'ssh');
  const options = argv.flatMap((word, k) => (argv[k - 1] === '-o' ? [word] : []));
  for (const option of ['BatchMode=yes', 'ControlPath=none', 'ForwardAgent=no', 'RemoteCommand=none'])
    assert.ok(options.includes(option), option);
  assert.deepEqual(argv.slice(1, 3), ['-F', '/lab/ssh_config']);
  assert.deepEqual(argv.slice(-5, -1), ['-p', '2222', '--', 'root@left.lab']);
  assert.ok(!argv.at(-1)!.includes('\n'));
});
