import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Host } from '../../../../../core/system/host.ts';
import { kernelNotes } from '../../../../../harness/cli/kernel-notes.ts';
import { servicesOf } from '../../../../../harness/definition/conditions.ts';
import type { ExperimentDefinition } from '../../../../../harness/definition/define.ts';
import { makePlan } from '../../../../../harness/definition/plan.ts';
import { describePlan } from '../../../../../harness/studies/experiment/dry-run.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';
import { commandsWith } from '../../../support/commands.ts';
import { temporaryFolder } from '../../support/folder.ts';

const command = commandsWith();
const registries = await loadRegistries();

const definition: ExperimentDefinition = {
  title: 'Title',
  question: 'Question?',
  source: 'own',
  link: { rate: '20mbit', queue: { limit: '250ms' } },
  service: { id: 'live-clip', maxBitrate: '1234567bit', settle: '1500ms', protection: '12.5%' },
  flood: { id: 'iperf' },
};
const described = (changes: Partial<ExperimentDefinition> = {}) =>
  describePlan(makePlan('study', { ...definition, ...changes }, registries), registries);

test('every quantity is printed as a definition has it', () => {
  const text = described();
  assert.match(text, / maxBitrate=1234567bit startBitrate=1mbit /);
  assert.match(text, / clipLength=15s width=1280 /);
  assert.match(text, / protection=12\.5% /);
  assert.match(text, / settle=1\.5s /);
});

test('a congestion controller is printed by its id and what differs from its defaults', () => {
  assert.match(described(), / controller=gcc feedback=/);
  assert.match(
    described({ service: { id: 'live-clip', controller: { id: 'gcc', backoff: '90%' } } }),
    / controller=\{"id":"gcc","backoff":"90%"\} feedback=/,
  );
});

test('a flood says by how much it starts before the others', () => {
  assert.match(described(), /^flood .* start-up to end /m);
  assert.match(described({ run: { floodLead: '5s' } }), /^flood .* 5 s before the others to end /m);
});

test('a source is named, and none where the study is its own', () => {
  assert.doesNotMatch(described(), /after own/);
  assert.match(described({ source: 'RFC 9000, section 2' }), /^ {2}After RFC 9000, section 2$/m);
});

test('a congestion control that the kernel does not have is noted, once each', async () => {
  const mainline = { read: () => Promise.resolve('reno cubic bbr\n') } as unknown as Host;
  const notes = (applications: object) => {
    const { service: _, flood: __, ...rest } = definition;
    const { conditions } = makePlan('study', { ...rest, applications } as ExperimentDefinition, registries);
    return kernelNotes(servicesOf(conditions), registries, mainline);
  };
  const using = (id: string, congestionControl: string, more = {}) => ({ service: { id, congestionControl, ...more } });
  const noted = await notes({
    one: using('iperf', 'cubicc'),
    two: using('download', 'cubicc'),
    three: using('web-page', 'bbr1'),
    four: using('abr-video', 'bbr3', { protocol: 'h3' }),
    five: using('iperf', 'bbr'),
  });
  assert.match(noted, /^note: .*"cubicc"; did you mean "cubic"\?.*\nnote: .*"bbr1"; BBRv1 is called "bbr" .*\n$/);
  assert.equal(await notes({ one: using('iperf', 'bbr3'), two: { service: { id: 'live-clip' } } }), '');
});

test("a stranger's definition cannot steer the terminal, neither by what it says nor by what is wrong with it", async () => {
  const file = join(temporaryFolder(), 'theirs.json');
  const said = (change: object) => {
    writeFileSync(file, JSON.stringify({ ...definition, ...change }));
    return command('experiment', file, '--dry-run');
  };
  const clipboard = '\x1b]52;c;aGk=\x07';
  const { status, stdout } = await said({ title: `Title ${clipboard}` });
  assert.equal(status, 0);
  assert.match(stdout, /^Title \?\]52;c;aGk=\?\n {2}Question\?\n/);
  const { status: refused, stderr } = await said({ [clipboard]: 1 });
  assert.equal(refused, 1);
  assert.match(stderr, /unknown key "\\u001b]52;c;aGk=\\u0007"/);
});

test('a trace is opened: what it is, and what is unusual in it', () => {
  const path = join(temporaryFolder(), 'late.trace');
  writeFileSync(path, Array.from({ length: 3000 }, (_, k) => 120_001 + k).join('\n'));
  const link = { rate: '10mbit', queue: { limit: '100packets' }, trace: path };
  const text = described({ link } as object);
  assert.match(
    text,
    /^trace late\.trace: mean 293 kbit\/s, .* 2\.05 min long with 3000 opportunities, the first at 2 min$/m,
  );
  assert.match(text, /^note: trace late\.trace: nothing passes for the first 2 min /m);
  const missing = { ...link, trace: `${path}.none` };
  assert.throws(() => described({ link: missing } as object), {
    code: 'bad-definition',
    message: /cannot be read \(ENOENT\)/,
  });
});

test('the number of repeats that the tests need is told, with a hint if the plan has fewer', () => {
  const conditions = { short: {}, long: { link: { rtt: '20ms' as const } }, lossy: { link: { loss: '1%' as const } } };
  const told = (repeats: number) => described({ conditions, run: { repeats } });
  const takes =
    'up to 8 tests \\(4 primary metrics, 2 conditions against a baseline\\): one difference alone takes 9 repeats';
  assert.match(told(6), new RegExp(`\n${takes} to be significant, this plan has 6 \\(--repeats 9\\)\n`));
  assert.match(told(9), new RegExp(`\n${takes}\n`));
  assert.match(described({ conditions, primary: ['goodput'] }), /up to 2 tests \(1 primary metric, .* takes 7 repeats/);
  assert.doesNotMatch(described({ run: { repeats: 6 } }), / tests /);
});

test('tc is promised only for links that it can form', () => {
  const path = join(temporaryFolder(), 'table.csv');
  writeFileSync(path, 'time_s,rate_mbps\n0,10\n60,\n');
  const link = { rate: '10mbit', queue: { limit: '100packets' } } as const;
  const formed = (changes: object) => /^links: formed by (.*)$/m.exec(described(changes as object))![1];
  const orElse = ', tc, not serialising, if no flow can tell';
  assert.equal(formed({ link }), `emulator, serialising; where it cannot form the link${orElse}`);
  assert.equal(formed({ link: { ...link, trace: path } }), 'emulator, serialising');
  assert.equal(formed({ link: { ...link, up: { ...link, trace: path } } }), 'emulator, serialising');
  assert.equal(
    formed({ link, conditions: { plain: {}, traced: { link: { trace: path } } } }),
    `emulator, serialising; where it cannot form a link without a trace${orElse}`,
  );
});

test('the links stand in one column, however long the title of a condition is', () => {
  const text = described({ conditions: { short: {}, 'a-condition-with-a-long-title': { link: { rtt: '9ms' } } } });
  const columns = [...text.matchAll(/^(.* )20 Mbit\/s, FIFO/gm)].map(([, before]) => before!.length);
  assert.deepEqual(columns, [30, 30]);
});

test('the DSCP of an application is printed', () => {
  const applications = {
    call: { service: { id: 'live-clip' }, dscp: 46 },
    bulk: { service: { id: 'iperf' } },
  };
  const { service: _, flood: __, ...rest } = definition;
  const plan = makePlan('study', { ...rest, applications } as ExperimentDefinition, registries);
  const text = describePlan(plan, registries);
  assert.match(text, /^call .* no added delay, DSCP 46 /m);
  assert.doesNotMatch(text, /^bulk .*DSCP/m);
});

test('claims that too few trials cannot decide are noted', () => {
  const claims = [
    { text: 'slow', holds: [{ metric: 'rtt-mean', condition: 'study', above: '1ms' as const }] },
    { text: 'fast', holds: [{ metric: 'rtt-mean', condition: 'study', below: '1s' as const }] },
  ];
  assert.match(
    described({ claims, run: { repeats: 5 } }),
    /\nthe 2 claims of this study cannot be decided: a 95 % interval takes 6 trials of each condition \(--repeats 6\)\n$/,
  );
  assert.doesNotMatch(described({ claims, run: { repeats: 6 } }), /claim/);
  assert.doesNotMatch(described({ run: { repeats: 5 } }), /claim/);
});
