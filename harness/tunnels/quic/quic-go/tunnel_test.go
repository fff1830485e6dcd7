package main

import (
	"bufio"
	"bytes"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/quic-go/quic-go/qlog"
)

const good = "client --quic 127.0.0.1:4433 --udp 127.0.0.1:56000 --mode stream --congestion newreno"

func TestWhatIsNotSaidHasADefault(t *testing.T) {
	o, err := parse(strings.Fields(good + " --report-ms 200"))
	if err != nil {
		t.Fatal(err)
	}
	if o.role != "client" || o.sendBufferBytes != 65_536 || o.mtuBytes != 1500 ||
		o.silence.Milliseconds() != 5000 || o.report.Milliseconds() != 200 {
		t.Errorf("%+v", o)
	}
}

func TestWhatIsWrongIsNamedInOneLine(t *testing.T) {
	for line, message := range map[string]string{
		"":                         "usage: ",
		"both":                     `"both" is neither server nor client`,
		"server --udp 127.0.0.1:1": "--quic is missing",
		strings.Replace(good, "127.0.0.1:4433", "x", 1): `--quic cannot be "x"`,
		strings.Replace(good, "stream", "fast", 1):      `--mode is datagram or stream, not "fast"`,
		strings.Replace(good, "newreno", "cubic", 1):    `--congestion is newreno with quic-go, not "cubic"`,
		good + " --quick 1":                             `there is no option "--quick"`,
		good + " --mode stream":                         "--mode is given twice",
		good + " --report-ms":                           "--report-ms has no value",
		good + " --report-ms 5":                         "--report-ms is from 20 to 10000, not 5",
	} {
		_, err := parse(strings.Fields(line))
		if err == nil || !strings.HasPrefix(err.Error(), message) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestWhatIsSentFirstCountsOnce(t *testing.T) {
	a := &account{}
	send := func(stream qlog.StreamID, offset, length int64) {
		a.record(qlog.PacketSent{Frames: []qlog.Frame{{Frame: &qlog.StreamFrame{StreamID: stream, Offset: offset, Length: length}}}})
	}
	send(2, 0, 1000)
	send(2, 0, 1000) // again, after a loss
	send(6, 0, 400)
	send(6, 400, 600)
	send(2, 500, 700)
	a.record(qlog.PacketSent{Frames: []qlog.Frame{{Frame: &qlog.DatagramFrame{Length: 50}}}})
	if got := a.sentBytes.Load(); got != 2250 {
		t.Errorf("%d bytes", got)
	}
	if a.streamFrames.Load() != 5 || a.datagramFrames.Load() != 1 {
		t.Errorf("%d and %d frames", a.streamFrames.Load(), a.datagramFrames.Load())
	}
}

func TestMetricsThatHaveNotChangedAreKept(t *testing.T) {
	a := &account{}
	a.record(qlog.MetricsUpdated{CongestionWindow: 14_520, BytesInFlight: 3000})
	a.record(qlog.MetricsUpdated{LatestRTT: 5, SmoothedRTT: 5})
	if a.window.Load() != 14_520 || a.inFlight.Load() != 3000 {
		t.Errorf("%d, %d", a.window.Load(), a.inFlight.Load())
	}
	a.record(qlog.MetricsUpdated{})
	if a.window.Load() != 14_520 || a.inFlight.Load() != 0 {
		t.Errorf("%d, %d", a.window.Load(), a.inFlight.Load())
	}
}

func TestAnAddressKeepsItsNumberAndThereAre256(t *testing.T) {
	f := &flows{numbers: map[netip.AddrPort]int{}}
	local := netip.MustParseAddr("127.0.0.1")
	for range 2 {
		for k := range mostFlows {
			if got := f.number(netip.AddrPortFrom(local, uint16(1000+k))); got != k {
				t.Fatalf("%d is not %d", got, k)
			}
		}
	}
	if got := f.number(netip.MustParseAddrPort("127.0.0.2:1")); got != -1 {
		t.Errorf("%d", got)
	}
}

func FuzzFrame(f *testing.F) {
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { socket.Close() })
	// beside the browser, with one flow: its own address
	known := &flows{socket: socket, addresses: []netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()}}
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2})
	f.Add([]byte{1, 1, 2})
	f.Fuzz(func(t *testing.T, frame []byte) {
		c := &carriage{}
		known.deliver(frame, c)
		isPacket := len(frame) > 0 && frame[0] == 0
		if isBad := c.badFrames.Load() == 1; isBad == isPacket {
			t.Errorf("%x: bad %v", frame, isBad)
		}
	})
}

func FuzzIdentity(f *testing.F) {
	f.Add([]byte("x"))
	f.Add([]byte("-----BEGIN CERTIFICATE-----\nAAAA\n" + lastLine + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, role := range []string{"server", "client"} {
			if config, err := identity(role, bufio.NewReader(bytes.NewReader(text))); err == nil && config == nil {
				t.Error("neither a configuration nor an error")
			}
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add(good)
	f.Fuzz(func(t *testing.T, line string) {
		if o, err := parse(strings.Fields(line)); err == nil && (o.quic == nil || o.udp == nil) {
			t.Errorf("%q lacks an address", line)
		}
	})
}
