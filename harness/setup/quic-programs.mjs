/**
 * Builds the programs that use QUIC, only if the user asks for them: with Rust's cargo the HTTP/3 server and the tunnel
 * on noq, and with Go the second stack of the tunnel, on quic-go.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from './person.mjs';
import { findProgram } from './programs.mjs';

/** Folder of the crate that both Rust programs use. It also has the Cargo.lock of the two programs. */
const shared = 'harness/quic';
const sourceFile = /^(src\/.*\.rs|Cargo\.(toml|lock)|[^/]*(?<!_test)\.go|go\.(mod|sum))$/;

/** Returns the steps of set-up. The argument contains helper functions of setup.mjs. */
export function quicPrograms({ root, run, timed, say, SetupError }) {
  const isBuilt = (program, folders) =>
    existsSync(program) &&
    folders.every(folder =>
      readdirSync(join(root, folder), { recursive: true })
        .filter(name => sourceFile.test(name))
        .every(name => statSync(join(root, folder, name)).mtimeMs <= statSync(program).mtimeMs),
    );

  /**
   * Returns the path of a toolchain that has at least the required version. Throws an error that says where to get it
   * if there is none.
   */
  function toolchain({ name, called, places, ask, version, least, install }, what) {
    const program = findProgram(name) ?? places.find(file => existsSync(file));
    const told = program === undefined ? '' : (run([program, ask], { allowFailure: true }).stdout ?? '');
    const [, minor] = version.exec(told) ?? [];
    if (minor === undefined || Number(minor) < least) {
      const here = minor === undefined ? 'not installed' : `1.${minor} here`;
      throw new SetupError(
        `${what} is built with ${called}, 1.${least} or newer, which is ${here}\n  -> install it as ${install} says`,
      );
    }
    return program;
  }
  const cargo = what =>
    toolchain(
      {
        name: 'cargo',
        called: "Rust's cargo",
        places: [join(homeFolder(), '.cargo/bin/cargo')],
        ask: '--version',
        version: /^cargo 1\.(\d+)\./,
        least: 88,
        install: 'https://rustup.rs',
      },
      what,
    );
  const go = what =>
    toolchain(
      {
        name: 'go',
        called: 'Go',
        places: ['/usr/local/go/bin/go'],
        ask: 'version',
        version: /^go version go1\.(\d+)/,
        least: 24,
        install: 'https://go.dev/doc/install',
      },
      what,
    );

  /** Returns a step that builds the crate in `folder` into the folder `output` of .cache. */
  const rust = ({ what, folder, output, name }) => ({
    program: join(root, '.cache', output, 'release', name),
    folders: [join(root, '.cache', output)],
    isDone() {
      return isBuilt(this.program, [folder, shared]);
    },
    make() {
      const program = cargo(what);
      const [manifest, target] = [join(root, folder, 'Cargo.toml'), join(root, '.cache', output)];
      const build = [
        program,
        'build',
        '--release',
        '--locked',
        '--quiet',
        '--manifest-path',
        manifest,
        '--target-dir',
        target,
      ];
      // fetches the crates of the whole workspace, so that its tests can be built without a network
      timed(`bringing the crates of ${what}`, () =>
        run([program, 'fetch', '--locked', '--quiet', '--manifest-path', manifest]),
      );
      timed(`building ${what} (about two minutes)`, () => run(build));
    },
  });

  const noq = rust({
    what: 'the QUIC tunnel on noq',
    folder: 'harness/tunnels/quic/noq',
    output: 'quic/noq',
    name: 'coexist-tunnel-noq',
  });
  const quicGo = {
    folder: 'harness/tunnels/quic/quic-go',
    program: join(root, '.cache/quic/quic-go/coexist-tunnel-quic-go'),
    folders: [join(root, '.cache/quic/quic-go')],
    isDone() {
      return isBuilt(this.program, [this.folder]);
    },
    make() {
      const what = 'the QUIC tunnel on quic-go';
      const program = go(what);
      timed(`building ${what}`, () =>
        // with the same hardening as Rust's programs, which have it by default
        run([program, 'build', '-trimpath', '-buildmode=pie', '-ldflags=-bindnow', '-o', this.program, '.'], {
          cwd: join(root, this.folder),
        }),
      );
    },
  };

  return {
    /**
     * Step for the HTTP/3 server of adaptive video (harness/services/shared/http3-program.ts). Without this server,
     * only HTTP/1.1 and HTTP/2 work.
     */
    http3: rust({
      what: 'the HTTP/3 server',
      folder: 'harness/services/http3-server',
      output: 'http3',
      name: 'coexist-http3',
    }),
    /** Step for the tunnel of harness/tunnels/quic. It builds each stack whose toolchain is installed. */
    quic: {
      programs: { noq: noq.program, 'quic-go': quicGo.program },
      folders: [join(root, '.cache/quic'), ...noq.folders, ...quicGo.folders],
      isDone: () => noq.isDone() && quicGo.isDone(),
      make() {
        const refusals = [];
        for (const stack of [noq, quicGo]) {
          try {
            if (!stack.isDone()) stack.make();
          } catch (error) {
            if (!(error instanceof SetupError)) throw error;
            refusals.push(error.message);
          }
        }
        if (refusals.length === 2) throw new SetupError(refusals.join('\n'));
        for (const refusal of refusals) say(refusal);
      },
    },
  };
}
