/** A user of this machine who may use sudo, with a checkout in a home of their own; gone with `remove`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { projectRoot } from '../../../core/system/paths.ts';
import { findProgram } from '../../../harness/setup/programs.mjs';

/** What a checkout needs to run a study, beside its packages; of `.cache` what set-up has made for every study. */
const parts = [
  'client',
  'core',
  'harness',
  'reports',
  'server',
  'shaper',
  'package.json',
  'package-lock.json',
  '.npmrc',
];
const cached = ['setup.json', 'clips'];
const installMs = 300_000;

/** Why there is no sudo on this machine, where it cannot be brought either; undefined where there is one. */
export async function sudoMissing(): Promise<string | undefined> {
  if (findProgram('sudo') !== undefined) return undefined;
  if (findProgram('apt-get') === undefined) return 'needs sudo, and there is no apt-get to install it';
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', 'sudo'];
  const { status, stderr } = await run(install, { allowFailure: true, timeoutMs: installMs });
  return status === 0 ? undefined : `needs sudo, which could not be installed: ${stderr.trim().split('\n').at(-1)}`;
}

export class SudoUser {
  readonly name = `coexist-${randomBytes(3).toString('hex')}`;
  /** One that they are in beside their own. */
  readonly otherGroup = `${this.name}-too`;
  readonly home = `/home/${this.name}`;
  readonly checkout = `${this.home}/coexist`;
  readonly #children: ChildProcess[] = [];
  readonly #rule = `/etc/sudoers.d/${this.name}`;
  readonly #programs = `/usr/local/lib/${this.name}`;

  async make(): Promise<void> {
    await run(['groupadd', this.otherGroup]);
    const account = ['--create-home', '--shell', '/bin/sh', '--home-dir', this.home, '--groups', this.otherGroup];
    await run(['useradd', ...account, this.name]);
    await run(['chmod', '700', this.home]); // as many distributions have it: nobody else looks in
    writeFileSync(this.#rule, `${this.name} ALL=(ALL:ALL) NOPASSWD: ALL\n`, { mode: 0o440 });
    mkdirSync(join(this.checkout, '.cache'), { recursive: true });
    const copied = [...parts, ...cached.map(name => join('.cache', name))].filter(name =>
      existsSync(join(projectRoot, name)),
    );
    for (const name of copied)
      await run(['cp', '-a', '--no-preserve=ownership', join(projectRoot, name), join(this.checkout, name)], {
        timeoutMs: 120_000,
      });
    const packages = join(this.checkout, 'node_modules');
    mkdirSync(packages);
    await run(['chown', '-R', `${this.name}:`, this.checkout]);
    await run(['mount', '--bind', '-o', 'ro', join(projectRoot, 'node_modules'), packages]);
  }

  /** A PATH with every program of this machine's but those of some names, which everybody can read. */
  pathWithout(names: readonly string[]): string {
    const folder = this.#programs;
    mkdirSync(folder);
    const seen = new Set(names);
    for (const directory of process.env['PATH']!.split(':').filter(path => existsSync(path))) {
      for (const name of readdirSync(directory).filter(one => !seen.has(one))) {
        seen.add(name);
        symlinkSync(join(directory, name), join(folder, name));
      }
    }
    return folder;
  }

  /** A command line in the checkout, as this user; its first word is a program. */
  start(argv: readonly string[], path = process.env['PATH']!): ChildProcess {
    const environment = ['env', '-i', `HOME=${this.home}`, `PATH=${path}`, 'LANG=C.UTF-8'];
    // setpriv becomes the program, so that the child is the user's own process
    const rights = ['setpriv', `--reuid=${this.name}`, `--regid=${this.name}`, '--init-groups', '--'];
    const [file, ...words] = [...rights, ...environment, ...argv];
    const child = spawn(file!, words, { cwd: this.checkout, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#children.push(child);
    return child;
  }

  /** Files and folders below the checkout that are not this user's, but for the packages. */
  async strangersFiles(): Promise<string[]> {
    const { stdout } = await run([
      'find',
      this.checkout,
      '-path',
      join(this.checkout, 'node_modules'),
      '-prune',
      '-o',
      '!',
      '-user',
      this.name,
      '-print',
    ]);
    return stdout.split('\n').filter(line => line !== '');
  }

  /** Files of that name in the runs. */
  found(name: string): string[] {
    const runs = join(this.checkout, 'runs');
    if (!existsSync(runs)) return [];
    return readdirSync(runs, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith(`/${name}`))
      .map(path => join(runs, path));
  }

  async remove(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await run(['umount', '--lazy', join(this.checkout, 'node_modules')], { allowFailure: true });
    rmSync(this.#rule, { force: true });
    rmSync(this.#programs, { recursive: true, force: true });
    await run(['userdel', '--force', this.name], { allowFailure: true });
    await run(['groupdel', this.otherGroup], { allowFailure: true });
    // never into packages that are still mounted
    await run(['rm', '-rf', '--one-file-system', this.home], { allowFailure: true, timeoutMs: 120_000 });
  }
}
