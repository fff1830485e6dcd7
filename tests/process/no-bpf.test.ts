/**
 * Studies that need BPF, in a user namespace, whose root the kernel lets load no BPF program: each ends with one line and
 * its remedy, exit status 2, and nothing is started or written.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Place, short } from '../e2e/support/run-command.ts';

const inUserNamespace = ['unshare', '--user', '--map-root-user', '--net', '--mount'];
const [file, ...words] = inUserNamespace;
const isBuilt = existsSync(new URL('../../shaper/native/build/coexist-marker', import.meta.url));
const hasUserNamespaces = spawnSync(file!, [...words, 'true']).status === 0;
const skip = !isBuilt
  ? 'needs the native helpers: npm run setup'
  : hasUserNamespaces
    ? false
    : 'no user namespaces here';

const cases: Record<string, { sets: readonly string[]; says: RegExp }> = {
  'a media server that marks its packets': {
    sets: ['service.controller={"id":"scream-v2","ecn":"l4s"}', 'service.feedback=ccfb', 'service.ecn=true'],
    says: /^packets cannot be marked here: coexist-marker: .*: Operation not permitted$/,
  },
  'a DCTCP-like flood': {
    sets: ['flood={"id":"iperf","congestionControl":"dctcp-like","ecn":"l4s"}'],
    says: /^dctcp-like cannot be used here: coexist-dctcp: .*: Operation not permitted$/,
  },
};

describe('without BPF', { skip }, () => {
  for (const [what, { sets, says }] of Object.entries(cases)) {
    test(what, async () => {
      const place = new Place(inUserNamespace);
      try {
        const options = sets.flatMap(set => ['--set', set]);
        const { status, stderr } = await place.run(['experiment', ...short, ...options, '--out', place.out]);
        const [line, remedy, ...more] = stderr.trim().split('\n');
        assert.equal(status, 2, stderr);
        assert.match(line!, says);
        assert.match(remedy!, /^ {2}-> .*npm run setup/);
        assert.deepEqual([more, existsSync(place.out), place.leases()], [[], false, []]);
      } finally {
        place.remove();
      }
    });
  }
});
