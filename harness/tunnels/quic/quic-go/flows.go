package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// mostFlows is how many a byte can number.
	mostFlows = 256
	// bufferBytes is more than a UDP payload can have.
	bufferBytes = 1 << 16
	// pause is taken after an error of a socket, as where nobody listens yet (ICMP).
	pause = 5 * time.Millisecond
)

// flows are the application's UDP sockets. A flow is the traffic from and to one address on the browser's side. The
// client's end gives each source address a number; the server's end has a socket for each number.
type flows struct {
	mutex sync.Mutex
	// Beside the browser.
	socket    *net.UDPConn
	numbers   map[netip.AddrPort]int
	addresses []netip.AddrPort
	// Beside the media server.
	to      *net.UDPAddr
	sockets map[byte]*net.UDPConn
}

func (f *flows) count() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.addresses) + len(f.sockets)
}

// number is an address's; -1 where all are taken by others.
func (f *flows) number(address netip.AddrPort) int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if number, ok := f.numbers[address]; ok {
		return number
	}
	if len(f.addresses) == mostFlows {
		return -1
	}
	f.numbers[address] = len(f.addresses)
	f.addresses = append(f.addresses, address)
	return len(f.addresses) - 1
}

// listen passes on what comes in beside the browser, until the socket is closed.
func (f *flows) listen(c *carriage) {
	buffer := make([]byte, bufferBytes)
	for {
		length, from, err := f.socket.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(pause)
			continue
		}
		c.send(f.number(from), buffer[:length])
	}
}

// deliver gives what has come through the tunnel to the application; what is no packet of a known flow is counted.
func (f *flows) deliver(frame []byte, c *carriage) {
	if len(frame) < headerBytes {
		c.badFrames.Add(1)
		return
	}
	flow, payload := frame[0], frame[headerBytes:]
	var err error
	if f.socket != nil {
		f.mutex.Lock()
		known := int(flow) < len(f.addresses)
		var to netip.AddrPort
		if known {
			to = f.addresses[flow]
		}
		f.mutex.Unlock()
		if !known {
			c.badFrames.Add(1)
			return
		}
		_, err = f.socket.WriteToUDPAddrPort(payload, to)
	} else {
		var socket *net.UDPConn
		if socket, err = f.socketOf(flow, c); err == nil {
			_, err = socket.Write(payload)
		}
	}
	if err != nil {
		c.undelivered.Add(1)
		return
	}
	c.packetsOut.Add(1)
	c.bytesOut.Add(int64(len(payload)))
}

// socketOf is the flow's socket beside the media server, made with its first packet, from when on it is listened to.
func (f *flows) socketOf(flow byte, c *carriage) (*net.UDPConn, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if socket, ok := f.sockets[flow]; ok {
		return socket, nil
	}
	socket, err := net.DialUDP("udp", nil, f.to)
	if err != nil {
		return nil, err
	}
	f.sockets[flow] = socket
	go func() {
		buffer := make([]byte, bufferBytes)
		for c.connection.Context().Err() == nil {
			length, err := socket.Read(buffer)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				time.Sleep(pause)
				continue
			}
			c.send(int(flow), buffer[:length])
		}
	}()
	return socket, nil
}

// open makes what the role needs.
func open(ctx context.Context, o *options) (*flows, error) {
	if o.role == "server" {
		return &flows{to: o.udp, sockets: map[byte]*net.UDPConn{}}, nil
	}
	socket, err := net.ListenUDP("udp", o.udp)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { socket.Close() })
	return &flows{socket: socket, numbers: map[netip.AddrPort]int{}}, nil
}
