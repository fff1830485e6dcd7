package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
)

const (
	protocol      = "coexist-tunnel"
	lastLine      = "-----END CERTIFICATE-----"
	mostTextBytes = 1 << 16
)

// identity reads a certificate, of a server after its key, and nothing beyond it: PEM texts.
func identity(role string, input *bufio.Reader) (*tls.Config, error) {
	var text strings.Builder
	for !strings.HasSuffix(strings.TrimRight(text.String(), "\r\n"), lastLine) {
		line, err := input.ReadString('\n')
		text.WriteString(line)
		if err != nil && line == "" || text.Len() > mostTextBytes {
			return nil, errors.New("standard input holds no certificate")
		}
	}
	pem := []byte(text.String())
	if role == "server" {
		certificate, err := tls.X509KeyPair(pem, pem)
		if err != nil {
			return nil, fmt.Errorf("the certificate cannot be read: %w", err)
		}
		return &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{protocol}, MinVersion: tls.VersionTLS13}, nil
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("the certificate cannot be read")
	}
	return &tls.Config{RootCAs: roots, NextProtos: []string{protocol}, MinVersion: tls.VersionTLS13}, nil
}
