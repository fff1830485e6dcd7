package main

import (
	"encoding/json"
	"syscall"
	"time"
)

// report is one JSON line. Counters grow from the start; times are Unix time. Null is what quic-go does not tell.
type report struct {
	TimeMs                   float64  `json:"timeMs"`
	State                    string   `json:"state"`
	Why                      string   `json:"why,omitempty"`
	Stack                    string   `json:"stack"`
	Mode                     string   `json:"mode"`
	CongestionControl        string   `json:"congestionControl"`
	CongestionWindowBytes    int64    `json:"congestionWindowBytes"`
	RttMs                    float64  `json:"rttMs"`
	SentBytes                uint64   `json:"sentBytes"`
	SentPackets              uint64   `json:"sentPackets"`
	LostPackets              uint64   `json:"lostPackets"`
	LostBytes                uint64   `json:"lostBytes"`
	CongestionEvents         int64    `json:"congestionEvents"`
	MinRttMs                 *float64 `json:"minRttMs"`
	BytesInFlight            int64    `json:"bytesInFlight"`
	AckedBytes               *int64   `json:"ackedBytes"`
	PacingBps                *int64   `json:"pacingBps"`
	BandwidthEstimateBps     *int64   `json:"bandwidthEstimateBps"`
	SpuriousCongestionEvents int64    `json:"spuriousCongestionEvents"`
	ReceivedBytes            uint64   `json:"receivedBytes"`
	DatagramFramesSent       int64    `json:"datagramFramesSent"`
	StreamFramesSent         int64    `json:"streamFramesSent"`
	QueuedBytes              int      `json:"queuedBytes"`
	MostPayloadBytes         int      `json:"mostPayloadBytes"`
	PacketsIn                int64    `json:"packetsIn"`
	BytesIn                  int64    `json:"bytesIn"`
	TooLargePackets          int64    `json:"tooLargePackets"`
	DroppedPackets           int64    `json:"droppedPackets"`
	RefusedPackets           int64    `json:"refusedPackets"`
	PacketsOut               int64    `json:"packetsOut"`
	BytesOut                 int64    `json:"bytesOut"`
	UndeliveredPackets       int64    `json:"undeliveredPackets"`
	BadFrames                int64    `json:"badFrames"`
	Flows                    int      `json:"flows"`
	CPUMs                    float64  `json:"cpuMs"`
}

func line(state, why string, c *carriage, f *flows) []byte {
	stats, account := c.connection.ConnectionStats(), c.account
	var minRtt *float64
	if stats.MinRTT > 0 {
		ms := milliseconds(stats.MinRTT)
		minRtt = &ms
	}
	text, err := json.Marshal(report{
		TimeMs: unixMs(), State: state, Why: why, Stack: "quic-go", Mode: c.mode, CongestionControl: "newreno",
		CongestionWindowBytes: account.window.Load(), RttMs: milliseconds(stats.SmoothedRTT), SentBytes: stats.BytesSent,
		SentPackets: stats.PacketsSent, LostPackets: stats.PacketsLost, LostBytes: stats.BytesLost,
		CongestionEvents: account.congestionEvents.Load(), MinRttMs: minRtt, BytesInFlight: account.inFlight.Load(),
		SpuriousCongestionEvents: account.spurious.Load(), ReceivedBytes: stats.BytesReceived,
		DatagramFramesSent: account.datagramFrames.Load(), StreamFramesSent: account.streamFrames.Load(),
		QueuedBytes: c.queuedBytes(), MostPayloadBytes: c.mostPayloadBytes, PacketsIn: c.packetsIn.Load(), BytesIn: c.bytesIn.Load(),
		TooLargePackets: c.tooLarge.Load(), DroppedPackets: c.dropped.Load(), RefusedPackets: c.refused.Load(),
		PacketsOut: c.packetsOut.Load(), BytesOut: c.bytesOut.Load(), UndeliveredPackets: c.undelivered.Load(),
		BadFrames: c.badFrames.Load(), Flows: f.count(), CPUMs: cpuMs(),
	})
	if err != nil {
		panic(err) // numbers and words alone
	}
	return append(text, '\n')
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1e3
}

// start has a monotonic clock beside the time of day, which may be set.
var start = time.Now()

func unixMs() float64 {
	return float64(start.UnixMicro())/1e3 + milliseconds(time.Since(start))
}

// cpuMs is the processor time of this program.
func cpuMs() float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return milliseconds(time.Duration(usage.Utime.Nano() + usage.Stime.Nano()))
}
