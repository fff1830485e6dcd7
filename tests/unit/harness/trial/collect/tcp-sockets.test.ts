import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSsLine, tcpSockets } from '../../../../../harness/trial/collect/tcp-sockets.ts';
import { fakeHost } from '../../support/fake-host.ts';

// output of `ss -tinOH state established` (iproute2 6.1, Linux 6.18) during iperf3 over a link of 20 Mbit/s with 2 %
// loss
const bbr =
  '0      800000 10.0.3.2:51966 10.0.2.2:5201 bbr wscale:10,10 rto:208 rtt:5.684/0.662 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:14 ssthresh:136 bytes_sent:6930909 bytes_retrans:925272 bytes_acked:5991158 segs_out:4790 segs_in:3423 data_segs_out:4788 bbr:(bw:19216888bps,mrtt:0.005,pacing_gain:1.25,cwnd_gain:2) send 28532020bps lastrcv:2508 pacing_rate 23780896bps delivery_rate 18807968bps delivered:4140 busy:2508ms rwnd_limited:60ms(2.4%) unacked:10 retrans:0/639 rcv_space:14480 rcv_ssthresh:64088 notsent:785520 minrtt:0.005 snd_wnd:1794048';
const cubic =
  '0      70952  10.0.3.2:51982 10.0.2.2:5201 cubic wscale:10,10 rto:204 rtt:2.382/0.07 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:4 ssthresh:3 bytes_sent:6096117 bytes_retrans:114392 bytes_acked:5975934 segs_out:4213 segs_in:2600 data_segs_out:4211 send 19452561bps lastsnd:4 lastrcv:2500 lastack:4 pacing_rate 23339392bps delivery_rate 19060464bps delivered:4129 busy:2500ms unacked:4 retrans:0/79 rcv_space:14480 rcv_ssthresh:64088 notsent:65160 minrtt:0.006 snd_wnd:204800                    ';
const reno =
  '0      124528 10.0.3.2:44970 10.0.2.2:5201 reno wscale:10,10 rto:204 rtt:3.592/0.611 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:5 ssthresh:5 bytes_sent:6067157 bytes_retrans:124528 bytes_acked:5935390 segs_out:4193 segs_in:2753 data_segs_out:4191 send 16124722bps lastrcv:2496 pacing_rate 19344952bps delivery_rate 19495112bps delivered:4101 busy:2496ms unacked:5 retrans:0/86 rcv_space:14480 rcv_ssthresh:64088 notsent:117288 minrtt:0.005 snd_wnd:764928';
const receiver =
  '0      0      [::ffff:10.0.2.2]:5201 [::ffff:10.0.3.2]:51966 bbr wscale:10,10 rto:204 rtt:0.007/0.003 ato:40 mss:1448 pmtu:1500 rcvmss:1448 advmss:1448 cwnd:10 bytes_received:6030253 segs_out:3433 segs_in:4168 data_segs_in:4166 bbr:(bw:0bps,mrtt:0.007) send 16548571429bps lastsnd:2524 pacing_rate 47293359864bps delivered:1 app_limited rcv_rtt:4.083 rcv_space:337384 rcv_ssthresh:1793443 minrtt:0.007 rcv_ooopack:1996 snd_wnd:64512';

test('a sender under BBR', () => {
  assert.deepEqual(parseSsLine(bbr), {
    localPort: 51966,
    peerPort: 5201,
    peerAddress: '10.0.2.2',
    congestionControl: 'bbr',
    version: undefined,
    bytesSent: 6_930_909,
    bytesAcked: 5_991_158,
    bytesRetransmitted: 925_272,
    rttMs: 5.684,
    minRttMs: 0.005,
    congestionWindowPackets: 14,
    pacingBps: 23_780_896,
    deliveryBps: 18_807_968,
    bandwidthBps: 19_216_888,
    busyMs: 2508,
    receiveWindowLimitedMs: 60,
  });
});

test('what a socket waited for is told by ss only once it has', () => {
  const limits = (line: string) => {
    const { busyMs, receiveWindowLimitedMs, sendBufferLimitedMs } = parseSsLine(line)!;
    return [busyMs, receiveWindowLimitedMs, sendBufferLimitedMs];
  };
  assert.deepEqual(limits(cubic), [2500, undefined, undefined]);
  assert.deepEqual(limits(receiver), [undefined, undefined, undefined]);
  assert.deepEqual(
    limits(cubic.replace('busy:2500ms', 'busy:2500ms rwnd_limited:4ms(0.2%) sndbuf_limited:1872ms(74.9%)')),
    [2500, 4, 1872],
  );
});

test('senders under CUBIC and Reno', () => {
  assert.deepEqual(
    [cubic, reno].map(line => {
      const { congestionControl, bytesSent, bytesRetransmitted, rttMs, congestionWindowPackets } = parseSsLine(line)!;
      return [congestionControl, bytesSent, bytesRetransmitted, rttMs, congestionWindowPackets];
    }),
    [
      ['cubic', 6_096_117, 114_392, 2.382, 4],
      ['reno', 6_067_157, 124_528, 3.592, 5],
    ],
  );
});

test('a receiver on an IPv4-mapped address', () => {
  const { localPort, peerPort, bytesReceived, bytesSent } = parseSsLine(receiver)!;
  assert.deepEqual([localPort, peerPort, bytesReceived, bytesSent], [5201, 51966, 6_030_253, undefined]);
});

test('a state before the rest makes no difference', () => {
  for (const line of [bbr, cubic, reno, receiver]) {
    assert.deepEqual(parseSsLine(`ESTAB ${line}`), parseSsLine(line));
    assert.deepEqual(parseSsLine(`CLOSE-WAIT ${line}`), parseSsLine(line));
  }
});

test('a version that the congestion control tells is read', () => {
  assert.equal(parseSsLine(bbr.replace('bbr:(bw', 'bbr:(version:3,bw'))!.version, '3');
});

test('only BBR tells an estimate of the bandwidth, whatever else it tells', () => {
  assert.equal(parseSsLine(bbr.replace('bbr:(bw', 'bbr:(version:3,bw'))!.bandwidthBps, 19_216_888);
  assert.deepEqual(
    [cubic, reno].map(line => parseSsLine(line)!.bandwidthBps),
    [undefined, undefined],
  );
  assert.equal(parseSsLine(receiver)!.bandwidthBps, 0);
});

test('options of the connection are not taken for its congestion control', () => {
  assert.equal(
    parseSsLine(bbr.replace(' bbr wscale', ' ts usec_ts sack ecn ecnseen ecn_low fastopen bbr wscale'))!
      .congestionControl,
    'bbr',
  );
  assert.equal(parseSsLine(bbr.replace(' bbr wscale', ' ts sack bbr3 wscale'))!.congestionControl, 'bbr3');
  assert.equal(parseSsLine('0 0 10.0.3.2:1 10.0.2.2:2')!.congestionControl, 'unknown');
});

test('a count of lost packets is read, and a total of retransmissions is not taken for it', () => {
  assert.equal(parseSsLine(bbr.replace('unacked:10', 'unacked:10 retrans:1/639 lost:3 sacked:7'))!.lostPackets, 3);
  assert.equal(parseSsLine(bbr)!.lostPackets, undefined);
});

test('other lines are none', () => {
  for (const line of [
    '',
    'State Recv-Q Send-Q Local Address:Port Peer Address:Port',
    '  cubic wscale:7,7 rto:204',
    'Cannot open netlink socket: Protocol not supported',
  ])
    assert.equal(parseSsLine(line), undefined, line);
});

test('the sockets of one port are asked for', async () => {
  const host = fakeHost('', `${bbr}\n${cubic}\n\nrubbish\n`);
  assert.deepEqual(
    (await tcpSockets(host, 5201)).map(socket => socket.localPort),
    [51966, 51982],
  );
  assert.deepEqual(host.asked, [['ss', '-tinoOH', 'state', 'established', '( sport = :5201 or dport = :5201 )']]);
});

test('ECN of a connection, and the marks that its receiver reported', () => {
  const marked = cubic
    .replace('cubic wscale', 'timer:(on,204ms,0) ts sack ecn cubic wscale')
    .replace('busy:', 'delivered_ce:12 busy:');
  const { congestionControl, ecn, deliveredCePackets } = parseSsLine(marked)!;
  assert.deepEqual([congestionControl, ecn, deliveredCePackets], ['cubic', true, 12]);
  assert.deepEqual([parseSsLine(cubic)!.ecn, parseSsLine(cubic)!.deliveredCePackets], [undefined, undefined]);
});
