// coexist-tunnel-quic-go: one end of a tunnel that carries UDP packets inside QUIC, on quic-go. Command line, standard input and
// reports are those of the tunnel on noq (harness/tunnels/quic/noq); its congestion control is NewReno, the only one of quic-go.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

const version = "0.1.0"

// caps is what this program can, for whoever makes a plan.
const caps = `{"program":"coexist-tunnel-quic-go","version":%q,"stack":"quic-go","stackVersion":%q,` +
	`"modes":["datagram","stream"],"congestionControls":["newreno"],"qlog":true}` + "\n"

const (
	statusUsage  = 1
	statusCannot = 2
	statusLost   = 3
)

// lost is the other end's being gone.
type lost struct{ error }

func main() {
	words := os.Args[1:]
	if len(words) == 1 && words[0] == "--version" {
		fmt.Printf("coexist-tunnel-quic-go %s, quic-go %s\n", version, stackVersion())
		return
	}
	if len(words) == 1 && words[0] == "caps" {
		fmt.Printf(caps, version, stackVersion())
		return
	}
	options, err := parse(words)
	if err != nil {
		fail(statusUsage, err)
	}
	// a burst that is handed over whole would pass a slow shaper as one packet
	if err := os.Setenv("QUIC_GO_DISABLE_GSO", "true"); err != nil {
		fail(statusCannot, err)
	}
	// Packets pass from goroutine to goroutine, and each hand-over to another core wakes a thread: on one, and with fewer
	// collections of garbage, an end takes a quarter to half less processor time (npm run bench:quic).
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400)
	asked, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(asked, options, bufio.NewReader(os.Stdin), os.Stdout); err != nil {
		if errors.As(err, new(lost)) {
			fail(statusLost, err)
		}
		fail(statusCannot, err)
	}
}

func fail(status int, err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(status)
}

// stackVersion is that of the quic-go that this was built with.
func stackVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, module := range info.Deps {
		if module.Path == "github.com/quic-go/quic-go" {
			return module.Version[1:]
		}
	}
	return "unknown"
}
