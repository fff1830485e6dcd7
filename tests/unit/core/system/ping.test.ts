import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandOptions } from '../../../../core/system/command.ts';
import { localHost } from '../../../../core/system/local-host.ts';
import { requirePing, unreadAnswer } from '../../../../core/system/ping.ts';

/** Output of a `ping`: its answer from this machine, and its version. */
type Said = { answer: string; status?: number; version: string; versionStatus?: number };

const host = ({ answer, status = 0, version, versionStatus = 0 }: Said) => ({
  run: async (argv: readonly string[], _?: CommandOptions) => {
    const [text, ends] = argv.includes('-V') ? [version, versionStatus] : [answer, status];
    return { status: ends, signal: null, stdout: ends === 0 ? text : '', stderr: ends === 0 ? '' : text };
  },
});

const line = '[1795175362.791413] 64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.035 ms';
const iputils = 'ping from iputils 20240905';
/** Returns the whole output of ping with this answer. */
const whole = (answer: string) =>
  `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.\n${answer}\n\n--- 127.0.0.1 ping statistics ---\n`;

describe('what can be read', () => {
  for (const [what, said] of [
    ['of iputils', { answer: whole(line), version: iputils }],
    ['of an old iputils', { answer: whole(line), version: 'ping utility, iputils-s20180629' }],
    ['where the machine does not answer itself', { answer: whole(''), status: 1, version: iputils }],
    [
      'in a namespace without a way to it',
      { answer: 'ping: connect: Network is unreachable', status: 2, version: iputils },
    ],
  ] as const)
    test(what, async () => assert.equal(await requirePing(host(said)), said.version));

  test('of this machine', async () => assert.match(await requirePing(localHost), /iputils/));
});

describe('what cannot be read is named with the mend', () => {
  const german = line.replace(' bytes from ', ' Bytes von ').replace(' time=', ' Zeit=');
  const cases: [what: string, said: Said, words: RegExp][] = [
    ['German', { answer: whole(german), version: iputils }, /it says ".* Bytes von .* Zeit=0\.035 ms"/],
    [
      'French',
      { answer: whole(line.replace(' bytes from ', ' octets de ').replace(' time=', ' temps=')), version: iputils },
      /octets de/,
    ],
    ['a comma in numbers', { answer: whole(line.replace('0.035', '0,035')), version: iputils }, /0,035 ms/],
    [
      'inetutils, without -D',
      {
        answer: "Try 'ping --help' or 'ping --usage' for more information.",
        status: 64,
        version: 'ping (GNU inetutils) 2.4',
      },
      /says "ping \(GNU inetutils\) 2\.4"/,
    ],
    [
      'BusyBox',
      { answer: 'ping: unrecognized option: D', status: 1, version: 'ping: unrecognized option: V', versionStatus: 1 },
      /unrecognized option: V/,
    ],
    [
      'fping under its name',
      { answer: '127.0.0.1 : [0], 64 bytes, 0.03 ms', version: 'ping: Version 5.1' },
      /Version 5\.1/,
    ],
    [
      'of BSD, without the time',
      { answer: whole('64 bytes from 127.0.0.1: icmp_seq=0 ttl=64 time=0.035 ms'), version: iputils },
      /icmp_seq=0/,
    ],
    ['nothing', { answer: '', version: '' }, /says "nothing"/],
  ];
  for (const [what, said, message] of cases)
    test(what, () =>
      assert.rejects(requirePing(host(said)), {
        code: 'missing-program',
        message,
        hint: /apt-get install iputils-ping/,
      }),
    );

  test('on another machine, which is named', () =>
    assert.rejects(requirePing(host({ answer: '', version: 'x' }), 'machine "pi"'), {
      message: /^the program "ping" of machine "pi" is not that of iputils/,
    }));
});

test('only answers count as unread, and only where none can be read', () => {
  assert.equal(unreadAnswer(whole(line)), undefined);
  assert.equal(unreadAnswer(`${whole(line)}${line.replace('time', 'Zeit')}`), undefined);
  assert.equal(unreadAnswer(whole('From 10.0.1.1 icmp_seq=4 Destination Host Unreachable')), undefined);
  assert.equal(
    unreadAnswer(
      '3 packets transmitted, 3 received, 0% packet loss, time 402ms\nrtt min/avg/max/mdev = 0.034/1.004/2.945/1.372 ms',
    ),
    undefined,
  );
});
