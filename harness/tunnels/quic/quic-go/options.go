package main

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"
)

const usage = "coexist-tunnel-quic-go server|client --quic ADDRESS:PORT --udp ADDRESS:PORT --mode datagram|stream " +
	"--congestion newreno [--send-buffer-bytes N] [--mtu-bytes N] [--silence-ms N] [--report-ms N] [--qlog FOLDER]"

var names = []string{
	"--quic", "--udp", "--mode", "--congestion", "--send-buffer-bytes", "--mtu-bytes", "--silence-ms", "--report-ms", "--qlog",
}

type options struct {
	// role is "server" beside the media server, "client" beside the browser.
	role string
	quic *net.UDPAddr
	udp  *net.UDPAddr
	mode string
	// sendBufferBytes is the payload that may wait for its first transmission; what comes then is dropped and counted.
	sendBufferBytes int
	mtuBytes        int
	// silence of the other end for so long means that it is dead.
	silence time.Duration
	report  time.Duration
	// qlog is a folder, or empty.
	qlog string
}

const (
	// mostPacketBytes is the most that quic-go can send in a UDP payload.
	mostPacketBytes = 1452
	headersV4       = 28
	headersV6       = 48
)

// packetBytes is the UDP payload of the largest packet.
func (o *options) packetBytes() int {
	headers := headersV6
	if o.quic.IP.To4() != nil {
		headers = headersV4
	}
	return min(o.mtuBytes-headers, mostPacketBytes)
}

// parse reads the command line. An error is a line for people.
func parse(words []string) (*options, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("usage: %s", usage)
	}
	role, words := words[0], words[1:]
	if role != "server" && role != "client" {
		return nil, fmt.Errorf("%q is neither server nor client; usage: %s", role, usage)
	}
	given := map[string]string{}
	for k := 0; k < len(words); k += 2 {
		name := words[k]
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no option %q; usage: %s", name, usage)
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		if k+1 == len(words) {
			return nil, fmt.Errorf("%s has no value", name)
		}
		given[name] = words[k+1]
	}
	for _, name := range names[:4] {
		if given[name] == "" {
			return nil, fmt.Errorf("%s is missing; usage: %s", name, usage)
		}
	}
	o := &options{role: role, mode: given["--mode"], qlog: given["--qlog"]}
	if o.mode != "datagram" && o.mode != "stream" {
		return nil, fmt.Errorf("--mode is datagram or stream, not %q", o.mode)
	}
	if control := given["--congestion"]; control != "newreno" {
		return nil, fmt.Errorf("--congestion is newreno with quic-go, not %q", control)
	}
	for name, address := range map[string]**net.UDPAddr{"--quic": &o.quic, "--udp": &o.udp} {
		resolved, err := net.ResolveUDPAddr("udp", given[name])
		if err != nil || resolved.IP == nil {
			return nil, fmt.Errorf("%s cannot be %q", name, given[name])
		}
		*address = resolved
	}
	var silenceMs, reportMs int
	for _, number := range []struct {
		name                  string
		to                    *int
		otherwise, from, upTo int
	}{
		{"--send-buffer-bytes", &o.sendBufferBytes, 65_536, 1500, 1 << 30},
		{"--mtu-bytes", &o.mtuBytes, 1500, 1280, 9000},
		{"--silence-ms", &silenceMs, 5000, 500, 60_000},
		{"--report-ms", &reportMs, 1000, 20, 10_000},
	} {
		*number.to = number.otherwise
		if word, ok := given[number.name]; ok {
			value, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be %q", number.name, word)
			}
			if value < number.from || value > number.upTo {
				return nil, fmt.Errorf("%s is from %d to %d, not %d", number.name, number.from, number.upTo, value)
			}
			*number.to = value
		}
	}
	o.silence, o.report = time.Duration(silenceMs)*time.Millisecond, time.Duration(reportMs)*time.Millisecond
	return o, nil
}
