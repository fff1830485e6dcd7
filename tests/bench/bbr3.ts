/**
 * Proves that what is loaded as "bbr3" is BBRv3, on the wire: each scenario is run with it and, in the same minutes,
 * with the kernel's own bbr (v1), over the product's network, bottleneck and delay. One table; a check that fails is
 * run once more, and says so, because other load on the machine disturbs single runs.
 *
 *   npm run bench:bbr3 [-- WORD...]     only checks whose number is one of the words, as "2" or "3a"
 *   npm run bench:bbr3 -- --page FILE   writes the table as a page of docs/results, too
 *
 * Level one of the proof, the state machine in virtual time, is check 11 here and part of `npm test`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError, writeError } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { parseArguments } from '../../harness/cli/arguments.ts';
import { byHandIn, withByHand } from '../../reports/results/by-hand.ts';
import { afterProbeRtt } from './bbr3/after-probe-rtt.ts';
import { appLimited, idleRestart, rateSteps, spurious, subPacket } from './bbr3/changes.ts';
import type { Flows, Scenario } from './bbr3/check.ts';
import { judgeCost } from './bbr3/cost.ts';
import { runFlow } from './bbr3/flow.ts';
import { longFlow } from './bbr3/long-flow.ts';
import { fivePercent, onePercent, shallowBuffer } from './bbr3/loss.ts';
import { BenchNetwork } from './bbr3/network.ts';
import { type Row, signaturesPage } from './bbr3/page.ts';
import { runBench } from './support/bench.ts';

const scenarios: Scenario[] = [
  longFlow,
  shallowBuffer,
  onePercent,
  fivePercent,
  rateSteps,
  idleRestart,
  appLimited,
  subPacket,
  spurious,
  afterProbeRtt,
];

async function runFlows(network: BenchNetwork, { link, traffic, others = [] }: Scenario): Promise<Flows> {
  const bbr3 = await runFlow(network, link, 'bbr3', traffic);
  const bbr = await runFlow(network, link, 'bbr', traffic);
  return { bbr3, bbr, ...(others.includes('cubic') ? { cubic: await runFlow(network, link, 'cubic', traffic) } : {}) };
}

type IsWanted = (id: string) => boolean;

async function judge(network: BenchNetwork, scenario: Scenario, isWanted: IsWanted): Promise<Row[]> {
  const checks = scenario.checks.filter(({ id }) => isWanted(id));
  if (checks.length === 0) return [];
  process.stderr.write(`${scenario.name} ...\n`);
  const flows = await runFlows(network, scenario);
  const rows = checks.map(check => ({ id: check.id, title: check.title, ...check.judge(flows) }));
  if (rows.every(row => row.ok)) return rows;
  process.stderr.write(
    `${scenario.name}: again, for ${rows
      .filter(row => !row.ok)
      .map(row => `${row.id} (${row.measured})`)
      .join(', ')}\n`,
  );
  const again = await runFlows(network, scenario);
  return rows.map((row, i) => {
    if (row.ok) return row;
    const second = checks[i]!.judge(again);
    const measured = `${second.measured}; first try: ${row.measured}`;
    return { id: row.id, title: `${row.title} (second try)`, ...second, measured };
  });
}

async function judgeCases(): Promise<Row> {
  const build = mkdtempSync(join(tmpdir(), 'coexist-bench-'));
  try {
    await run(['make', '-s', '-C', fileURLToPath(new URL('../bbr3/', import.meta.url)), `BUILD=${build}`], {
      timeoutMs: 120_000,
    });
    const { stdout } = await run([join(build, 'bbr3-cases')], { allowFailure: true, timeoutMs: 120_000 });
    const lines = stdout.split('\n').filter(line => /^(not )?ok /.test(line));
    const passed = lines.filter(line => line.startsWith('ok ')).length;
    return {
      id: '11',
      title: "the draft's test cases, in virtual time",
      measured: `${passed} of ${lines.length} cases`,
      beside: 'not applicable',
      wanted: 'all',
      ok: passed === lines.length && passed > 0,
    };
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

function print(rows: readonly Row[]): void {
  for (const { id, title, measured, beside, wanted: threshold, ok } of rows) {
    process.stdout.write(
      `${ok ? 'ok  ' : 'FAIL'} ${id.padEnd(5)}${title}\n         bbr3    ${measured}\n         bbr     ${beside}\n` +
        `         wanted  ${threshold}\n`,
    );
  }
}

await runBench(async () => {
  const { positionals: wanted, values } = parseArguments(
    process.argv.slice(2),
    { page: { type: 'string' } },
    'npm run bench:bbr3 -- [CHECK...] [--page FILE]',
  );
  const isWanted = (id: string) => wanted.length === 0 || wanted.includes(id);
  const known = [...scenarios.flatMap(({ checks }) => checks.map(({ id }) => id)), 'cost', '11'];
  for (const word of wanted)
    if (!known.includes(word))
      throw new CoexistError('usage', `there is no check ${word}`, { hint: `known: ${known.join(', ')}` });
  const rows: Row[] = [];
  const started = new Date();
  const network = await BenchNetwork.open();
  try {
    const { draft, objectSha256 } = network.identity;
    process.stdout.write(
      `BBRv3 after ${draft}, object ${objectSha256?.slice(0, 16) ?? 'without a hash'}, beside bbr of Linux ${release()}\n`,
    );
    for (const scenario of scenarios) rows.push(...(await judge(network, scenario, isWanted)));
    if (isWanted('cost')) rows.push(await judgeCost(network));
    if (isWanted('11')) rows.push(await judgeCases());
  } finally {
    await network.close();
  }
  rows.sort((a, b) => Number.parseFloat(a.id) - Number.parseFloat(b.id) || a.id.localeCompare(b.id));
  print(rows);
  const failed = rows.filter(row => !row.ok);
  process.stdout.write(
    `${rows.length - failed.length} of ${rows.length} checks passed; load ${loadavg()[0]!.toFixed(1)}; ` +
      'check 12, other kernels: npm run test:kernels\n',
  );
  if (values.page !== undefined) {
    const page = await signaturesPage(rows, network.identity.draft, started);
    try {
      const earlier = existsSync(values.page) ? readFileSync(values.page, 'utf8') : '';
      writeFileSync(values.page, withByHand(page, byHandIn(earlier)));
    } catch (error) {
      throw writeError(error, values.page);
    }
  }
  return failed.length === 0;
});
