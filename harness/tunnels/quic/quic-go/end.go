package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

const (
	// For the other end to be there, of a server and of a client.
	serverWait = 30 * time.Second
	clientWait = 8 * time.Second
	// goodbye is the time in which the other end is told of the end, and the log is written.
	goodbye = 500 * time.Millisecond
	// mostStreams may be open at once, one for each packet that is under way.
	mostStreams = 1 << 16
)

// run is an end from its start until asked is done, input ends, or the other end goes. Input begins with the certificate, of a server
// after its key.
func run(asked context.Context, o *options, input *bufio.Reader, output io.Writer) error {
	security, err := identity(o.role, input)
	if err != nil {
		return err
	}
	asked, end := context.WithCancel(asked)
	defer end()
	go func() {
		_, _ = io.Copy(io.Discard, input) // whatever ends it, nobody wants us any more
		end()
	}()
	f, err := open(asked, o)
	if err != nil {
		return fmt.Errorf("cannot listen on UDP %s: %w", o.udp, err)
	}
	a := &account{}
	config, finished, err := configured(o, a)
	if err != nil {
		return err
	}
	transport, connection, err := connect(asked, o, security, config, output)
	if transport != nil {
		defer transport.Close()
	}
	if asked.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := newCarriage(connection, a, o)
	if err != nil {
		return err
	}
	go c.sendWaiting()
	go c.receive(f)
	if f.socket != nil {
		go f.listen(c)
	}
	why, failure := "asked", error(nil)
	pace := time.NewTicker(o.report)
	defer pace.Stop()
	for told := true; told; {
		if _, err := output.Write(line("connected", "", c, f)); err != nil {
			return fmt.Errorf("nobody reads what is told: %w", err)
		}
		select {
		case <-asked.Done():
			told = false
		case <-connection.Context().Done():
			told = false
			why, failure = reason(context.Cause(connection.Context()), o.silence)
		case <-pace.C:
		}
	}
	last := line("ended", why, c, f)
	if err := connection.CloseWithError(0, ""); err != nil && failure == nil {
		failure = err
	}
	select {
	case <-finished:
	case <-time.After(goodbye):
	}
	if _, err := output.Write(last); err != nil {
		return fmt.Errorf("nobody reads what is told: %w", err)
	}
	return failure
}

// configured is how a connection is set up; the channel is closed when its log is written.
func configured(o *options, a *account) (*quic.Config, <-chan struct{}, error) {
	finished := make(chan struct{})
	var file *os.File
	if o.qlog == "" {
		close(finished)
	} else {
		path := filepath.Join(o.qlog, o.role+".qlog")
		err := os.MkdirAll(o.qlog, 0o755)
		if err == nil {
			file, err = os.Create(path)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	return &quic.Config{
		EnableDatagrams:         true,
		InitialPacketSize:       uint16(o.packetBytes()),
		DisablePathMTUDiscovery: true,
		MaxIdleTimeout:          o.silence,
		KeepAlivePeriod:         o.silence / 4,
		HandshakeIdleTimeout:    clientWait,
		MaxIncomingStreams:      -1,
		MaxIncomingUniStreams:   mostStreams,
		Tracer: func(_ context.Context, isClient bool, id quic.ConnectionID) qlogwriter.Trace {
			if file == nil {
				return trace{account: a}
			}
			log := qlogwriter.NewConnectionFileSeq(&written{bufio.NewWriter(file), file}, isClient, id, []string{qlog.EventSchema})
			file = nil
			go func() {
				log.Run()
				close(finished)
			}()
			return trace{account: a, log: log}
		},
	}, finished, nil
}

// written is a file behind a buffer.
type written struct {
	*bufio.Writer
	file *os.File
}

func (w *written) Close() error {
	return errors.Join(w.Flush(), w.file.Close())
}

// connect says that it listens, and waits for the other end. The transport is to be closed even where there is an error.
func connect(
	asked context.Context, o *options, security *tls.Config, config *quic.Config, output io.Writer,
) (*quic.Transport, *quic.Conn, error) {
	listen := &net.UDPAddr{}
	if o.role == "server" {
		listen = o.quic
	}
	socket, err := net.ListenUDP("udp", listen)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot listen on UDP %s: %w", listen, err)
	}
	transport := &quic.Transport{Conn: socket}
	wait := clientWait
	if o.role == "server" {
		wait = serverWait
	}
	ctx, cancel := context.WithTimeout(asked, wait)
	defer cancel()
	if o.role == "client" {
		security.ServerName = o.quic.IP.String()
		connection, err := transport.Dial(ctx, o.quic, security, config)
		if err != nil {
			return transport, nil, lost{fmt.Errorf("cannot connect to the other end at %s: %w", o.quic, err)}
		}
		_, err = io.WriteString(output, "listening\n")
		return transport, connection, err
	}
	listener, err := transport.Listen(security, config)
	if err != nil {
		return transport, nil, err
	}
	if _, err := io.WriteString(output, "listening\n"); err != nil {
		return transport, nil, err
	}
	connection, err := listener.Accept(ctx)
	if err != nil {
		return transport, nil, lost{fmt.Errorf("no client has come within %s", wait)}
	}
	// whoever else comes is refused; the connection stays
	return transport, connection, listener.Close()
}

// reason is why a connection has ended: for the report, or as an error.
func reason(err error, silence time.Duration) (string, error) {
	var closed *quic.ApplicationError
	if errors.As(err, &closed) && closed.ErrorCode == 0 {
		return "other-end", nil
	}
	if errors.As(err, new(*quic.IdleTimeoutError)) {
		return "lost", lost{fmt.Errorf("the other end has been silent for %d ms", silence.Milliseconds())}
	}
	return "lost", lost{fmt.Errorf("the connection is lost: %s", bytes.TrimSpace([]byte(fmt.Sprint(err))))}
}
