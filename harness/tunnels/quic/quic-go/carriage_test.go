package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
)

// connected are the two ends of a connection, with the options of its client.
func connected(t *testing.T) (server, client *quic.Conn, o *options) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"test"}
	security := &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}, NextProtos: names,
	}
	o = &options{quic: &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}, mtuBytes: 1500, silence: 5 * time.Second, mode: "datagram"}
	config, _, err := configured(o, &account{})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := quic.ListenAddr("127.0.0.1:0", security, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	client, err = quic.DialAddr(ctx, listener.Addr().String(), &tls.Config{InsecureSkipVerify: true, NextProtos: names}, config)
	if err != nil {
		t.Fatal(err)
	}
	server, err = listener.Accept(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return server, client, o
}

func TestTheLargestPacketPassesHoweverLateItsSizeIsAsked(t *testing.T) {
	server, client, o := connected(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// what is acknowledged changes what quic-go tells
	for range 20 {
		if err := client.SendDatagram([]byte{0}); err != nil {
			t.Fatal(err)
		}
		if _, err := server.ReceiveDatagram(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	c, err := newCarriage(client, &account{}, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.mostPayloadBytes != 1414 {
		t.Errorf("%d bytes", c.mostPayloadBytes)
	}
	if err := client.SendDatagram(make([]byte, c.mostPayloadBytes+headerBytes)); err != nil {
		t.Fatal(err)
	}
	if got, err := server.ReceiveDatagram(ctx); err != nil || len(got) != c.mostPayloadBytes+headerBytes {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestASmallerLimitOfTheOtherEndHolds(t *testing.T) {
	o := &options{quic: &net.UDPAddr{IP: net.IPv6loopback}, mtuBytes: 1500}
	if got := mostPayload(1000, o); got != 999 {
		t.Errorf("%d bytes", got)
	}
	if got := mostPayload(1452, o); got != 1414 {
		t.Errorf("%d bytes", got)
	}
}
