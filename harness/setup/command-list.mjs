/**
 * Table of all commands of `npm run`, with the properties that set-up and the entry of the npm scripts need.
 * package.json has the same commands (a test compares them).
 *
 * `options`: names of the options; those with a "=" have a value. `needsRoot`: the command makes network namespaces,
 * unless one of these words is on the command line. `doesWithLess`: the command is also useful with the rights of a
 * user namespace. `isStudy`: the command may run for days and use files that set-up has made. `runs`: program and first
 * words to run instead of `harness/main.ts COMMAND`. `script`: program that npm starts directly, without the entry.
 * `brings`: steps of set-up (setup.mjs) that the command needs instead of those of a study.
 */
const looks = ['--list', '--dry-run'];
const study = 'seed= set= out= resume= watch despite-changes headed queue= hosts= json wait beside list dry-run';
const pairs = 'services= trust-scripts link= quick findings site-url= private-networks';
const conformance = 'case= sender=';
const ofStudy = { needsRoot: looks, doesWithLess: true, isStudy: true, takesDefinition: true };
const packages = ['packages'];
const bench = (name, rest = {}) => [
  `bench:${name}`,
  { options: '', brings: ['development', 'study'], runs: [`tests/bench/${name}.ts`], ...rest },
];
const asRoot = { needsRoot: [] };
const tests = { options: '', brings: ['development', 'postgres', 'study'] };

export const commands = {
  experiment: { ...ofStudy, options: `${study} repeats=` },
  demo: { options: 'set= seconds= xvfb picture= wait beside', needsRoot: [], doesWithLess: true, isStudy: true },
  study: { ...ofStudy, options: `${study} repeats= ${pairs} ${conformance}` },
  conformance: { ...ofStudy, options: `${study} repeats= ${conformance}` },
  pairs: { ...ofStudy, options: `${study} repeats= ${pairs}` },
  game: { ...ofStudy, options: study },
  worker: {
    options: 'queue= trust= name= skip-noise-floor wait beside',
    needsRoot: [],
    doesWithLess: true,
    isStudy: true,
  },
  queue: { options: 'queue= json', brings: packages },
  report: { options: 'json out= figures= page=', brings: packages },
  verify: { options: 'all voice json', brings: ['packages', 'python'] },
  export: { options: 'format= json', brings: packages },
  doctor: { options: 'json hosts=', brings: packages, needsRoot: ['--hosts'], doesWithLess: true },
  clean: { options: '', brings: packages, needsRoot: [], doesWithLess: true },
  docs: { options: 'check', brings: packages },
  site: { options: 'out= site-url= source-url=', brings: packages },
  new: { options: '', brings: packages },
  traces: { options: 'list seed= length= up from= every= out=', brings: packages },
  pack: { options: '', script: 'harness/setup/pack.mjs' },
  setup: { options: '' },
  format: { options: 'check install', script: 'harness/setup/format.mjs' },
  lint: { options: 'install', script: 'harness/setup/lint.mjs' },
  test: { ...tests, ...asRoot, options: 'test-name-pattern= shard= all', runs: ['tests/run.ts'] },
  'test:fuzz': { ...tests, options: 'minutes= from= times=', runs: ['tests/fuzz/rounds.ts'] },
  'test:kernels': {
    ...tests,
    ...asRoot,
    brings: ['development', 'system', 'native'],
    runs: ['tests/run.ts', 'kernels'],
  },
  'test:long': { ...tests, ...asRoot, brings: [...tests.brings, 'python for tests'], runs: ['tests/run.ts', 'long'] },
  'test:soak': { ...tests, ...asRoot, options: 'hours= seed=', runs: ['tests/soak/soak.ts'] },
  ...Object.fromEntries([
    bench('bbr3', { ...asRoot, options: 'page=' }),
    bench('controllers', { brings: ['development'] }),
    bench('estimates', { ...asRoot, options: 'backend= rates= rtts= flows= modes= seconds=' }),
    bench('gcc', asRoot),
    bench('lab', asRoot),
    bench('qoe', asRoot),
    bench('quic', { brings: ['development', 'quic'] }),
    bench('queue', { brings: ['development', 'postgres'] }),
    bench('report', { brings: ['development', 'system', 'browser'] }),
    bench('sender', asRoot),
    bench('shaper', asRoot),
    bench('trial', asRoot),
  ]),
};

/** Returns the properties of a command. An unknown name has no options; `harness/main.ts` refuses it later. */
export const commandOf = name => (Object.hasOwn(commands, name) ? commands[name] : { options: '' });

/** Returns true if one of the words makes the command read only. */
export const onlyLooks = (name, argv) =>
  commandOf(name).needsRoot?.some(word => argv.some(given => given.split('=')[0] === word)) === true;
