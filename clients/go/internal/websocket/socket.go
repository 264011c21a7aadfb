// Package websocket is a client of WebSocket (RFC 6455) for texts.
package websocket

import (
	"bufio"
	"crypto/rand"
	"crypto/sha1"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const handshakeLimit = 10 * time.Second

// Closed is the end of a socket.
type Closed struct {
	// Code is that of the Close frame, or 1006 if the connection ended without one.
	Code   int
	Reason string
}

func (c *Closed) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the socket was closed with code %d %s", c.Code, c.Reason))
}

// Socket is a client's WebSocket. Reads belong to one goroutine; writes may come from several.
type Socket struct {
	stream net.Conn
	frames frameReader

	mutex     sync.Mutex
	sentClose bool
}

// acceptValue is the value of Sec-WebSocket-Accept for a key (RFC 6455 §4.2.2).
func acceptValue(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Open opens a socket over http or https.
func Open(location *url.URL, trust *tls.Config, fields http.Header, subprotocol string) (*Socket, error) {
	stream, err := dial(location, trust)
	if err != nil {
		return nil, err
	}
	stream.SetDeadline(time.Now().Add(handshakeLimit))
	socket, err := handshake(stream, location, fields, subprotocol)
	if err != nil {
		stream.Close()
		return nil, err
	}
	stream.SetDeadline(time.Time{})
	return socket, nil
}

func dial(location *url.URL, trust *tls.Config) (net.Conn, error) {
	host, port := location.Hostname(), location.Port()
	if port == "" {
		port = location.Scheme
	}
	if location.Scheme == "https" {
		return tls.Dial("tcp", net.JoinHostPort(host, port), trust)
	}
	return net.Dial("tcp", net.JoinHostPort(host, port))
}

func handshake(stream net.Conn, location *url.URL, fields http.Header, subprotocol string) (*Socket, error) {
	key := base64.StdEncoding.EncodeToString(random(16))
	request := &http.Request{Method: "GET", URL: location, Host: location.Host, Header: fields.Clone()}
	request.Header.Set("Upgrade", "websocket")
	request.Header.Set("Connection", "Upgrade")
	request.Header.Set("Sec-WebSocket-Version", "13")
	request.Header.Set("Sec-WebSocket-Key", key)
	request.Header.Set("Sec-WebSocket-Protocol", subprotocol)
	if err := request.Write(stream); err != nil {
		return nil, err
	}
	input := bufio.NewReader(stream)
	answer, err := http.ReadResponse(input, request)
	if err != nil {
		return nil, fmt.Errorf("the gateway ended the connection during the WebSocket handshake: %w", err)
	}
	if answer.StatusCode != http.StatusSwitchingProtocols {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
		return nil, fmt.Errorf("the gateway did not open a WebSocket; it answered %d: %s", answer.StatusCode, strings.TrimSpace(string(text)))
	}
	if answer.Header.Get("Sec-WebSocket-Accept") != acceptValue(key) {
		return nil, fmt.Errorf("the gateway's Sec-WebSocket-Accept does not fit the key that was sent")
	}
	if chosen := answer.Header.Get("Sec-WebSocket-Protocol"); chosen != "" && chosen != subprotocol {
		return nil, fmt.Errorf("the gateway chose the subprotocol '%s', which was not offered", chosen)
	}
	return &Socket{stream: stream, frames: frameReader{input: input}}, nil
}

// Receive is the next text. At the end of the socket it is the code and reason instead. Pings are answered.
func (s *Socket) Receive() (text []byte, ending *Closed) {
	for {
		next, err := s.frames.next()
		switch {
		case err != nil:
			code := closeCodeOf(err)
			if code != 1006 {
				s.Close(code, err.Error())
			}
			return nil, &Closed{code, err.Error()}
		case next.opcode == opText:
			return next.payload, nil
		case next.opcode == opPing:
			s.write(opPong, next.payload)
		case next.opcode == opClose:
			code := next.code
			if code == 1005 {
				code = 1000
			}
			s.Close(code, "")
			return nil, &Closed{next.code, string(next.payload)}
		}
	}
}

// Close sends a Close frame, once. The socket ends when the gateway has answered it.
func (s *Socket) Close(code int, reason string) {
	s.mutex.Lock()
	isFirst := !s.sentClose
	s.sentClose = true
	s.mutex.Unlock()
	if isFirst {
		s.write(opClose, closeBody(code, reason))
	}
}

func (s *Socket) write(opcode byte, payload []byte) error {
	var mask [4]byte
	copy(mask[:], random(4))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, err := s.stream.Write(encodeFrame(opcode, payload, mask))
	return err
}

// Send sends a text.
func (s *Socket) Send(text []byte) error { return s.write(opText, text) }

// Drop ends the connection.
func (s *Socket) Drop() { s.stream.Close() }

func random(count int) []byte {
	bytes := make([]byte, count)
	if _, err := rand.Read(bytes); err != nil {
		panic(err) // The system has no random numbers.
	}
	return bytes
}
