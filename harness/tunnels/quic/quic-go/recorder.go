package main

import (
	"sync"
	"sync/atomic"

	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

// account is what quic-go tells its log and nobody else.
type account struct {
	window, inFlight, datagramFrames, streamFrames, spurious, congestionEvents atomic.Int64
	// sentBytes of frames, each counted when it was sent first.
	sentBytes atomic.Int64

	mutex sync.Mutex
	// seen is the first byte of each stream that has not been sent, by the stream's place in their order.
	seen []uint16
}

// trace counts, and passes everything on to the log where there is one.
type trace struct {
	account *account
	log     qlogwriter.Trace
}

func (t trace) AddProducer() qlogwriter.Recorder {
	if t.log == nil {
		return recorder{account: t.account}
	}
	return recorder{account: t.account, log: t.log.AddProducer()}
}

func (t trace) SupportsSchemas(schema string) bool {
	return schema == qlog.EventSchema
}

type recorder struct {
	account *account
	log     qlogwriter.Recorder
}

func (r recorder) RecordEvent(event qlogwriter.Event) {
	r.account.record(event)
	if _, isTimer := event.(qlog.LossTimerUpdated); r.log != nil && !isTimer {
		r.log.RecordEvent(event)
	}
}

func (r recorder) Close() error {
	if r.log == nil {
		return nil
	}
	return r.log.Close()
}

func (a *account) record(event qlogwriter.Event) {
	switch event := event.(type) {
	case qlog.MetricsUpdated:
		// what has not changed is not told
		if event.CongestionWindow != 0 {
			a.window.Store(int64(event.CongestionWindow))
		}
		isNothingElse := event.CongestionWindow == 0 && event.LatestRTT == 0 && event.SmoothedRTT == 0
		if event.BytesInFlight != 0 || isNothingElse {
			a.inFlight.Store(int64(event.BytesInFlight))
		}
	case qlog.SpuriousLoss:
		a.spurious.Add(1)
	case qlog.CongestionStateUpdated:
		if event.State == qlog.CongestionStateRecovery {
			a.congestionEvents.Add(1)
		}
	case qlog.PacketSent:
		for _, frame := range event.Frames {
			switch frame := frame.Frame.(type) {
			case *qlog.DatagramFrame:
				a.datagramFrames.Add(1)
				a.sentBytes.Add(frame.Length)
			case *qlog.StreamFrame:
				a.streamFrames.Add(1)
				a.sentBytes.Add(a.first(int(frame.StreamID)/4, frame.Offset+frame.Length))
			}
		}
	}
}

// first is how many bytes of a stream are sent for the first time when it is sent up to end.
func (a *account) first(stream int, end int64) int64 {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for len(a.seen) <= stream {
		a.seen = append(a.seen, 0)
	}
	more := end - int64(a.seen[stream])
	if more <= 0 {
		return 0
	}
	a.seen[stream] = uint16(end)
	return more
}
