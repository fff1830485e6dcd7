import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import competition from '../../../../../../harness/studies/experiment/shipped/drucker-competition.ts';

/**
 * Parameters of the paper's versions, from the controller's README: "| change 2, ... | `bandwidth: 'third-best'` |".
 */
const versions = new Map(
  [
    ...readFileSync(
      new URL('../../../../../../server/congestion/webrtc-bbr/README.md', import.meta.url),
      'utf8',
    ).matchAll(/^\| (change \d|recovery off)[^|]*\| `([^`]+)` \|$/gm),
  ].map(([, name, text]) => [
    name!,
    Object.fromEntries(
      text!
        .split(', ')
        .map(pair => pair.split(': '))
        .map(([key, value]) => [key, value!.startsWith("'") ? value!.slice(1, -1) : Number(value)]),
    ),
  ]),
);

const merged = (...names: string[]) => Object.assign({}, ...names.map(name => versions.get(name)!)) as object;

test("every version of the paper's WebRTC-BBR has in the study the parameters that the controller's README names", () => {
  assert.equal(versions.size, 4);
  const wanted = {
    bbr: {},
    off: merged('recovery off'),
    probing: merged('change 1'),
    third: merged('change 2'),
    one: merged('change 3'),
    both: merged('change 2', 'change 3'),
    all: merged('change 2', 'change 3', 'recovery off'),
  };
  for (const [id, parameters] of Object.entries(wanted)) {
    assert.deepEqual(
      competition.conditions![`slow-${id}`]!.service!['controller'],
      { id: 'webrtc-bbr', ...parameters },
      id,
    );
  }
});
