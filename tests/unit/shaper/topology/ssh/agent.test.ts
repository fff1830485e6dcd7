/** The agent in this process, over pipes, with a clock under the test's control. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { Child, outputOf } from '../../../../../core/system/command.ts';
import { sleep, until, within } from '../../../../../core/system/deadline.ts';
import { startTicks, stateOf } from '../../../../../core/system/process-id.ts';
import { Agent } from '../../../../../shaper/topology/ssh/agent.ts';
import { AgentClient } from '../../../../../shaper/topology/ssh/agent-client.ts';
import { encodeFrame } from '../../../../../shaper/topology/ssh/frames.ts';

const code = 'c0de';

async function pair(t: TestContext) {
  const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()];
  const clock = { nowMs: 0 };
  const agent = new Agent(fromAgent, code, () => clock.nowMs);
  toAgent.on('data', (chunk: Buffer) => agent.receive(chunk));
  toAgent.on('end', () => void agent.end());
  const client = new AgentClient('left', toAgent, fromAgent);
  t.after(() => {
    client.end();
    return agent.end();
  });
  const hello = await client.hello(20_000);
  return { agent, client, clock, toAgent, hello };
}

/** Process id and start of a program that has printed its id. */
async function idFrom(child: Child): Promise<{ pid: number; startTicks: number }> {
  const [text] = await within(
    new Promise<[Buffer]>(resolve => child.process.stdout!.once('data', chunk => resolve([chunk]))),
    20_000,
    'a process id',
  );
  const pid = Number(text.toString().trim().split('\n')[0]);
  return { pid, startTicks: startTicks(pid)! };
}

const gone = (id: { pid: number; startTicks: number }) =>
  until(() => (stateOf(id) === 'ended' ? true : undefined), 20_000, `process ${id.pid} to end`);

test('it greets with its protocol, its code and its Node', async t => {
  const { hello } = await pair(t);
  assert.deepEqual([hello.protocol, hello.code, hello.node], [2, code, process.versions.node]);
});

test('a program runs: input, output, both pipes, status, variables, folder', async t => {
  const { client } = await pair(t);
  const argv = ['sh', '-c', 'cat; echo "$WORD" >&2; pwd; exit 3'];
  const output = await outputOf(client.start(argv, { WORD: 'a b' }, '/usr'), argv, {
    input: 'in ',
    allowFailure: true,
  });
  assert.deepEqual(output, { status: 3, signal: null, stdout: 'in /usr\n', stderr: 'a b\n' });
});

test('a megabyte goes there and back whole', async t => {
  const { client } = await pair(t);
  const input = 'äx'.repeat(400_000);
  const { stdout } = await outputOf(client.start(['cat'], {}, null), ['cat'], { input });
  assert.equal(stdout, input);
});

test('one that is not there is missing on that machine', async t => {
  const { client } = await pair(t);
  await assert.rejects(
    outputOf(client.start(['no-such-program'], {}, null), ['no-such-program'], {}, 'machine "left"'),
    {
      code: 'missing-program',
      message: 'the program "no-such-program" is not installed on machine "left"',
    },
  );
});

test('it is asked to end, and killed with what it has started where it does not', async t => {
  const { client } = await pair(t);
  const polite = new Child('polite', client.start(['sleep', '60'], {}, null));
  assert.ok(polite.alive);
  await polite.stop();
  assert.deepEqual(await polite.ended, { status: null, signal: 'SIGTERM' });
  const stubborn = new Child(
    'stubborn',
    client.start(['sh', '-c', 'trap "" TERM; sleep 60 & echo $!; while :; do sleep 0.05; done'], {}, null),
  );
  const inner = await idFrom(stubborn);
  await stubborn.stop('SIGTERM', 100);
  assert.equal((await stubborn.ended).signal, 'SIGKILL');
  await gone(inner);
});

test('what a program has started ends with it, however it ends', async t => {
  const { client } = await pair(t);
  const script = '(trap "" TERM; exec sleep 60) >/dev/null 2>&1 & echo $!;';
  for (const then of ['exit 3', 'wait']) {
    const child = new Child('leaver', client.start(['sh', '-c', `${script} ${then}`], {}, null));
    const inner = await idFrom(child);
    await child.stop();
    await gone(inner);
  }
});

test('it knows what runs', async t => {
  const { client } = await pair(t);
  const child = new Child('shell', client.start(['sh', '-c', 'sleep 60 & echo $!; wait'], {}, null));
  const { pid } = await idFrom(child);
  const ids = await client.processIds();
  assert.ok(ids.includes(pid) && ids.length === 2, `${ids}`);
  await child.stop('SIGTERM', 50);
});

test('the end of its input kills the process groups that it has started', async t => {
  const { client, agent, toAgent } = await pair(t);
  const child = new Child('shell', client.start(['sh', '-c', 'sleep 60 & echo $!; wait'], {}, null));
  const inner = await idFrom(child);
  toAgent.end();
  assert.equal((await within(agent.ended, 20_000, 'the agent to end')).fault, undefined);
  await gone(inner);
});

test('silence for 10 s ends it with all that it has started, and a beat puts that off', async t => {
  const { client, agent, clock } = await pair(t);
  const child = new Child('shell', client.start(['sh', '-c', 'echo $$; exec sleep 60'], {}, null));
  const id = await idFrom(child);
  clock.nowMs = 9000;
  agent.checkSilence();
  await client.clockSample();
  clock.nowMs = 18_900;
  agent.checkSilence();
  assert.equal(stateOf(id), 'alive');
  clock.nowMs = 19_100;
  agent.checkSilence();
  assert.match((await within(agent.ended, 20_000, 'the agent to end')).fault!, /nothing came for 10\.1 s/);
  await gone(id);
});

test('what is no order ends it, and says why', async t => {
  const faults: [frame: Buffer, fault: RegExp][] = [
    [encodeFrame({ type: 'burn' }), /"burn" is no order/],
    [encodeFrame({ type: 'start', id: 7, argv: [], environment: {}, folder: null }), /argv is empty/],
    [encodeFrame({ type: 'signal', id: 7, signal: 'SIGSEGV' }), /"SIGSEGV" is no signal/],
    [encodeFrame({ type: 'probe', id: 7, from: '', to: '', port: 1, count: 1e9, intervalMs: 1 }), /count/],
    [encodeFrame({ type: 'hello', protocol: 99, silenceMs: 1000 }), /protocol 99, not 2/],
    [Buffer.from('ffffffff00000000', 'hex'), /a head of 4294967295 bytes; 1048576 are allowed/],
  ];
  for (const [frame, fault] of faults) {
    const { agent, toAgent } = await pair(t);
    toAgent.write(frame);
    assert.match((await within(agent.ended, 20_000, 'the agent to end')).fault!, fault);
  }
});

test('nothing is obeyed before the hello', async () => {
  const agent = new Agent(new PassThrough(), code);
  agent.receive(encodeFrame({ type: 'start', id: 1, argv: ['true'], environment: {}, folder: null }));
  assert.match((await agent.ended).fault!, /the first order is no hello/);
});

test('it keeps little of what the connection does not take, and goes on when it does', async () => {
  const mebibyte = 2 ** 20;
  const output = new PassThrough();
  const agent = new Agent(output, code);
  agent.receive(encodeFrame({ type: 'hello', protocol: 2, silenceMs: 10_000 }));
  agent.receive(encodeFrame({ type: 'start', id: 1, argv: ['yes'], environment: {}, folder: null }));
  try {
    await until(() => (output.writableLength > 4 * mebibyte ? true : undefined), 30_000, 'a full connection');
    const full = output.writableLength;
    await sleep(200); // time for a hundred times as much output
    assert.ok(full < 5 * mebibyte && output.writableLength < 5 * mebibyte, `${full}, ${output.writableLength} bytes`);
    let taken = 0;
    output.on('data', (chunk: Buffer) => {
      taken += chunk.length;
    });
    await until(() => (taken > 10 * mebibyte ? true : undefined), 30_000, 'more');
  } finally {
    await agent.end();
  }
});

test('its clock is told in the order of the questions', async t => {
  const { client } = await pair(t);
  const samples = await Promise.all(Array.from({ length: 5 }, () => client.clockSample()));
  for (const { t1, t2, t3, t4 } of samples)
    assert.ok(t1 <= t2 && t2 <= t3 && t3 <= t4, JSON.stringify({ t1, t2, t3, t4 }));
});

test('probes by UDP come back, and an address that the machine does not have is told', async t => {
  const { client } = await pair(t);
  const port = await client.echo('127.0.0.1');
  const samples = await client.probe({ from: '127.0.0.1', to: '127.0.0.1', port, count: 20, intervalMs: 1 });
  assert.equal(samples.length, 20);
  for (const { t1, t2, t3, t4 } of samples) assert.ok(t1 <= t2 && t2 <= t3 && t3 <= t4);
  await assert.rejects(client.echo('192.0.2.1'), /machine "left": bind EADDRNOTAVAIL 192\.0\.2\.1/);
});

test('a machine that is lost fails what runs, what is asked and what is asked later, with one line', async t => {
  const { client } = await pair(t);
  const failed = assert.rejects(client.failed, {
    code: 'host-lost',
    message: 'machine "left": the cable was cut',
  });
  const running = outputOf(client.start(['sleep', '60'], {}, null), ['sleep', '60']);
  const asked = client.processIds();
  client.lose('the cable was cut');
  client.lose('another reason');
  await failed;
  for (const pending of [running, asked, client.processIds(), client.clockSample()])
    await assert.rejects(pending, { code: 'host-lost', message: 'machine "left": the cable was cut' });
  await assert.rejects(outputOf(client.start(['true'], {}, null), ['true']), { code: 'host-lost' });
  const child = new Child('late', client.start(['true'], {}, null));
  assert.equal((await child.ended).status, 127);
});

test('what is not from an agent loses the machine', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const client = new AgentClient('left', input, output);
  output.write('Welcome to left!\n');
  await assert.rejects(client.failed, {
    message: /^machine "left": what it sent is not from an agent: a head of \d+ bytes/,
    hint: /login shell/,
  });
  assert.ok(client.lost !== undefined);
});
