/** The Dockerfile, by rules of hadolint: a pinned base, no lists of apt left behind, COPY and not ADD, no sudo. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../core/system/paths.ts';

/** What is wrong with the text of a Dockerfile, by the numbers of hadolint's rules. */
function faults(text: string): string[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => line.trim() !== '');
  const of = (word: string) =>
    lines.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1));
  const runs = of('RUN');
  const rules: Record<string, boolean> = {
    DL3006: of('FROM').some(image => !/^[\w./-]+:[\w.-]+/.test(image)),
    DL3007: of('FROM').some(image => /:latest\b/.test(image)),
    DL3004: runs.some(run => /\bsudo\b/.test(run)),
    DL3009: runs.some(run => /apt-get update/.test(run) && !/rm -rf \/var\/lib\/apt\/lists\/\*/.test(run)),
    DL3014: runs.some(run => /apt-get install/.test(run) && !/ -y\b/.test(run)),
    DL3015: runs.some(run => /apt-get install/.test(run) && !/--no-install-recommends/.test(run)),
    DL3020: of('ADD').length > 0,
    DL3000: of('WORKDIR').length === 0 || of('WORKDIR').some(folder => !folder.startsWith('/')),
    DL3003: runs.some(run => /(^|&& *|; *)cd /.test(run)),
    DL3025: [...of('CMD'), ...of('ENTRYPOINT')].some(words => !words.startsWith('[')),
  };
  return Object.keys(rules).filter(rule => rules[rule]);
}

test('each rule finds what is against it', () => {
  const bad = `FROM debian
FROM node:latest
RUN sudo true && cd /tmp && apt-get update && apt-get install git
ADD . .
WORKDIR here
CMD node x
`;
  assert.deepEqual(faults(bad).sort(), [
    ...['DL3000', 'DL3003', 'DL3004', 'DL3006', 'DL3007', 'DL3009', 'DL3014', 'DL3015', 'DL3020', 'DL3025'],
  ]);
});

test('the Dockerfile has no fault, and starts a program that exists', () => {
  const text = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
  assert.deepEqual(faults(text), []);
  const [, entry] = /^ENTRYPOINT \["node", "([^"]+)"\]$/m.exec(text)!;
  assert.ok(existsSync(join(projectRoot, entry!)));
});
