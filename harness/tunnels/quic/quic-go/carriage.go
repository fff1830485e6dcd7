package main

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/quic-go/quic-go"
)

const (
	// headerBytes is the number of the flow, before the payload.
	headerBytes = 1
	// mostFrameBytes is of a frame that comes in a stream; the other end sends none that is larger.
	mostFrameBytes = 1 << 16
	// packetOverhead is the type, the longest connection ID and the tag of a packet (RFC 9000, section 17.3.1). Real IDs are
	// shorter by more than what the packet number and the head of the frame take.
	packetOverhead = 1 + 20 + 16
	// waitingDatagrams is more than fit into the largest send buffer that makes sense: its bytes are what bounds it.
	waitingDatagrams = 1 << 14
)

// carriage moves packets into and out of the connection. The payload that waits for its first transmission is bounded;
// packets that arrive when the buffer is full are dropped, as at the tail of a queue.
type carriage struct {
	connection *quic.Conn
	account    *account
	mode       string
	// sendBufferBytes and mostPayloadBytes do not change.
	sendBufferBytes  int
	mostPayloadBytes int
	// waiting datagrams: quic-go takes 32 and then makes its caller wait.
	waiting chan []byte

	taken                                          atomic.Int64
	packetsIn, bytesIn, tooLarge, dropped, refused atomic.Int64
	packetsOut, bytesOut, undelivered, badFrames   atomic.Int64
}

func newCarriage(connection *quic.Conn, account *account, o *options) (*carriage, error) {
	// what is surely too large is refused with the most that is not
	var tooLarge *quic.DatagramTooLargeError
	if err := connection.SendDatagram(make([]byte, 1<<16)); !errors.As(err, &tooLarge) {
		return nil, errors.New("the other end takes no datagrams")
	}
	return &carriage{
		connection: connection, account: account, mode: o.mode, sendBufferBytes: o.sendBufferBytes,
		mostPayloadBytes: mostPayload(int(tooLarge.MaxDatagramPayloadSize), o), waiting: make(chan []byte, waitingDatagrams),
	}, nil
}

// mostPayload is the largest packet that passes. quic-go first tells what fits into a packet, and from its first
// acknowledgement on the size of the whole packet (Conn.handleAckFrame of 0.59.1): it would take a larger datagram and
// discard it without an error.
func mostPayload(told int, o *options) int {
	return min(told, o.packetBytes()-packetOverhead) - headerBytes
}

// queuedBytes wait for their first transmission.
func (c *carriage) queuedBytes() int {
	return max(0, int(c.taken.Load()-c.account.sentBytes.Load()))
}

// send takes a packet of the application. A flow of -1 is one that there is no number for.
func (c *carriage) send(flow int, payload []byte) {
	c.packetsIn.Add(1)
	c.bytesIn.Add(int64(len(payload)))
	frame := append([]byte{byte(flow)}, payload...)
	switch {
	case flow < 0:
		c.refused.Add(1)
	case len(payload) > c.mostPayloadBytes:
		c.tooLarge.Add(1)
	case c.queuedBytes()+len(frame) > c.sendBufferBytes || !c.take(frame):
		c.dropped.Add(1)
	default:
		c.taken.Add(int64(len(frame)))
	}
}

// take gives a frame to QUIC without waiting; false where that cannot be.
func (c *carriage) take(frame []byte) bool {
	if c.mode == "datagram" {
		select {
		case c.waiting <- frame:
			return true
		default:
			return false
		}
	}
	stream, err := c.connection.OpenUniStream()
	if err != nil {
		return false
	}
	// less than a packet: quic-go keeps a copy of it and returns
	if _, err := stream.Write(frame); err != nil {
		stream.CancelWrite(0)
		return false
	}
	return stream.Close() == nil
}

// sendWaiting hands on datagrams until the connection ends.
func (c *carriage) sendWaiting() {
	for {
		select {
		case <-c.connection.Context().Done():
			return
		case frame := <-c.waiting:
			if err := c.connection.SendDatagram(frame); err != nil {
				c.taken.Add(-int64(len(frame)))
				c.dropped.Add(1)
			}
		}
	}
}

// receive gives what comes through to the application, until the connection ends.
func (c *carriage) receive(f *flows) {
	go func() {
		for {
			frame, err := c.connection.ReceiveDatagram(context.Background())
			if err != nil {
				return
			}
			f.deliver(frame, c)
		}
	}()
	for {
		stream, err := c.connection.AcceptUniStream(context.Background())
		if err != nil {
			return
		}
		// each as it is complete: none waits for another
		go func() {
			frame, err := io.ReadAll(io.LimitReader(stream, mostFrameBytes+1))
			if err != nil || len(frame) > mostFrameBytes {
				stream.CancelRead(0)
				c.badFrames.Add(1)
				return
			}
			f.deliver(frame, c)
		}()
	}
}
