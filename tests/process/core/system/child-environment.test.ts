import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bareEnvironment, childEnvironment, folders, searchPath } from '../../../../core/system/child-environment.ts';
import { run } from '../../../../core/system/command.ts';
import { localHost } from '../../../../core/system/local-host.ts';
import { projectRoot } from '../../../../core/system/paths.ts';
import { rootsFolders } from '../../../../harness/setup/programs.mjs';

const sbin = '/usr/local/sbin:/usr/sbin:/sbin';

describe('the environments that people have', () => {
  const cases: [what: string, from: NodeJS.ProcessEnv, gone: readonly string[]][] = [
    ['root by "su" of Debian, without sbin', { PATH: '/usr/local/bin:/usr/bin:/bin' }, []],
    ['no path at all, as from cron', {}, []],
    [
      'a German desktop',
      { PATH: '/bin', LANG: 'de_DE.UTF-8', LANGUAGE: 'de:en', LC_NUMERIC: 'de_DE' },
      ['LANG', 'LANGUAGE', 'LC_NUMERIC'],
    ],
    ['all of the locale at once', { PATH: '/bin', LC_ALL: 'fr_FR.UTF-8' }, []],
    [
      'a company behind proxies',
      { PATH: '/bin', http_proxy: 'x', HTTPS_PROXY: 'x', No_Proxy: 'x', ALL_PROXY: 'x' },
      ['http_proxy', 'HTTPS_PROXY', 'No_Proxy', 'ALL_PROXY'],
    ],
    ['POSIX people', { PATH: '/bin', POSIXLY_CORRECT: '1' }, ['POSIXLY_CORRECT']],
    [
      'a debugger of Node',
      { PATH: '/bin', NODE_OPTIONS: '--inspect', NODE_DEBUG: 'http' },
      ['NODE_OPTIONS', 'NODE_DEBUG'],
    ],
    [
      'a shell with a start file',
      { PATH: '/bin', BASH_ENV: '/x', ENV: '/x', CDPATH: '/srv', 'BASH_FUNC_ping%%': '() { :; }' },
      ['BASH_ENV', 'ENV', 'CDPATH', 'BASH_FUNC_ping%%'],
    ],
    [
      '"npm run" with options',
      { PATH: '/bin', npm_config_dry_run: 'true', npm_lifecycle_event: 'experiment' },
      ['npm_config_dry_run', 'npm_lifecycle_event'],
    ],
    ['own options of tar', { PATH: '/bin', TAR_OPTIONS: '--owner=7' }, ['TAR_OPTIONS']],
    [
      'a tuned Go and quic-go',
      { PATH: '/bin', GOMAXPROCS: '1', QUIC_GO_DISABLE_GSO: '1' },
      ['GOMAXPROCS', 'QUIC_GO_DISABLE_GSO'],
    ],
    ['an own Python', { PATH: '/bin', PYTHONHOME: '/x', PYTHONSTARTUP: '/y' }, ['PYTHONHOME', 'PYTHONSTARTUP']],
    ['logs of TLS keys', { PATH: '/bin', SSLKEYLOGFILE: '/k' }, ['SSLKEYLOGFILE']],
  ];
  for (const [what, from, gone] of cases)
    test(what, () => {
      const given = childEnvironment({ ...from, HOME: '/people/ann', COEXIST_PYTHON: '/py' });
      assert.deepEqual(
        Object.keys(given).filter(name => gone.includes(name)),
        [],
      );
      assert.equal(given['LC_ALL'], 'C');
      assert.ok(
        folders.every(folder => given['PATH']!.split(':').includes(folder)),
        given['PATH'],
      );
      assert.deepEqual([given['HOME'], given['COEXIST_PYTHON']], ['/people/ann', '/py']);
    });
});

test('the path keeps its order, has root’s folders behind it once, and never the folder that one stands in', () => {
  assert.equal(searchPath('/opt/b:/usr/bin'), `/opt/b:/usr/bin:${sbin}`);
  assert.equal(searchPath('/sbin:/usr/bin'), '/sbin:/usr/bin:/usr/local/sbin:/usr/sbin');
  assert.equal(searchPath(':/usr/bin::'), `/usr/bin:${sbin}`);
  assert.equal(searchPath(''), `/usr/local/bin:/usr/bin:/bin:${sbin}`);
  assert.deepEqual(folders, rootsFolders);
});

test('what shows text keeps UTF-8, in plain order', () => {
  assert.equal(childEnvironment({ PATH: '/bin', LC_ALL: 'C.UTF-8' })['LC_ALL'], 'C.UTF-8');
  assert.deepEqual(Object.keys(bareEnvironment({ PATH: '/bin', HOME: '/x' })), ['PATH', 'LC_ALL']);
});

test('a program finds what is in sbin, and no locale and proxy, whoever runs the command', async () => {
  const script = 'printf "%s %s %s" "$LC_ALL" "[$http_proxy]" "$(printf %s "$PATH" | grep -o /usr/sbin)"';
  const kept = { ...process.env };
  Object.assign(process.env, {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'de_DE.UTF-8',
    http_proxy: 'http://10.0.0.1',
  });
  try {
    assert.equal((await run(['sh', '-c', script])).stdout, 'C [] /usr/sbin');
    const child = localHost.start('asked', ['sh', '-c', script]);
    let said = '';
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text));
    await child.ended;
    assert.equal(said, 'C [] /usr/sbin');
  } finally {
    for (const name of ['PATH', 'LC_ALL', 'http_proxy']) delete process.env[name];
    Object.assign(process.env, kept);
  }
});

test('every place that starts a program gives it this environment', () => {
  const inFolder = (folder: string): string[] =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.includes('node_modules'))
      .map(name => join(folder, name));
  const wrong = ['core', 'harness', 'server', 'shaper'].flatMap(inFolder).flatMap(file => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    if (!/from 'node:child_process'/.test(text)) return [];
    return [...text.matchAll(/(?<![.\w])(spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\(/g)]
      .filter(({ index }) => !/\benv: (\w*[eE]nvironment\(|environment,)/.test(callAt(text, index)))
      .map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`);
  });
  assert.deepEqual(wrong, []);
});

/** Returns the text of a call from its name to the closing bracket. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let k = text.indexOf('(', start); k < text.length; k++) {
    if (text[k] === '(') depth++;
    if (text[k] === ')' && --depth === 0) return text.slice(start, k + 1);
  }
  return text.slice(start);
}
