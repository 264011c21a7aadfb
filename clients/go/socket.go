package pushpit

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"pushpit.test/pushpit/internal/websocket"
)

const (
	socketPath  = "/devices/socket"
	subprotocol = "pushpit.device.v1"
	// How many of the newest frames a failure lists.
	listedFrames = 10
	frameLimit   = 5 * time.Second
)

// SocketClosed is the end of a device's socket. Its code is a close code of docs/devices.md, or 1006 if the connection
// ended without one.
type SocketClosed = websocket.Closed

// Socket watches a device. Frames that no call has asked for yet are kept.
type Socket struct {
	// Welcome is the gateway's first frame.
	Welcome Frame

	device    *Device
	webSocket *websocket.Socket
	mutex     sync.Mutex
	frames    []Frame
	seen      []string
	ending    *SocketClosed
	// changed is closed and replaced when a frame arrives or the socket ends.
	changed    chan struct{}
	references int
}

// Connect opens a socket that gets each push and event of the device. Options are the members of "hello" in
// docs/devices.md, such as JSON{"manualAck": true}. It is closed when the test ends.
func (d *Device) Connect(options ...JSON) *Socket {
	d.gateway.t.Helper()
	api := d.gateway.api
	location := *api.url
	location.Path = socketPath
	opened, err := websocket.Open(&location, api.tls, api.fields(), subprotocol)
	d.gateway.check(err)
	socket := &Socket{device: d, webSocket: opened, changed: make(chan struct{})}
	go socket.read()
	d.gateway.t.Cleanup(socket.Close)
	if d.owner != nil {
		d.owner.sockets = append(d.owner.sockets, socket)
	}
	socket.send(merged(append(options, JSON{"type": "hello", "device": JSON{"id": d.ID}})...))
	socket.Welcome = socket.Next("a welcome", func(frame Frame) bool { return frame.Type == "welcome" || frame.Type == "error" })
	d.gateway.check(refusalOf("hello", socket.Welcome))
	return socket
}

func (s *Socket) read() {
	for {
		text, ending := s.webSocket.Receive()
		var next Frame
		if ending == nil {
			json.Unmarshal(text, &next)
			json.Unmarshal(text, &next.All)
		}
		s.mutex.Lock()
		if ending == nil {
			s.frames = append(s.frames, next)
			s.seen = append(s.seen, next.String())
			s.seen = s.seen[max(0, len(s.seen)-listedFrames):]
		}
		s.ending = ending
		close(s.changed)
		s.changed = make(chan struct{})
		s.mutex.Unlock()
		if ending != nil {
			s.webSocket.Drop()
			return
		}
	}
}

// NextPush waits up to 5 s for a push. Later events say what the phone shows, and why.
func (s *Socket) NextPush() Frame {
	s.device.gateway.t.Helper()
	return s.Next("a push", func(frame Frame) bool { return frame.Type == "push" })
}

// NextEvent waits up to 5 s for an event of one of these kinds.
func (s *Socket) NextEvent(kinds ...string) Frame {
	s.device.gateway.t.Helper()
	return s.Next("an event of the kind "+strings.Join(kinds, " or "), func(frame Frame) bool {
		for _, kind := range kinds {
			if frame.Type == "event" && frame.Kind == kind {
				return true
			}
		}
		return false
	})
}

// Next waits up to 5 s for a frame that matches. Earlier frames that don't match are kept for later calls. The
// parameter what names the frame in the failure.
func (s *Socket) Next(what string, matches func(Frame) bool) Frame {
	s.device.gateway.t.Helper()
	frame, err := s.TryNext(what, frameLimit, matches)
	s.device.gateway.check(err)
	return frame
}

// TryNext is like Next, with a time limit of your own, and an error instead of a failed test. At the end of the socket
// the error has the type *SocketClosed.
func (s *Socket) TryNext(what string, limit time.Duration, matches func(Frame) bool) (Frame, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		s.mutex.Lock()
		for index, frame := range s.frames {
			if matches(frame) {
				s.frames = append(s.frames[:index:index], s.frames[index+1:]...)
				s.mutex.Unlock()
				return frame, nil
			}
		}
		ending, changed, seen := s.ending, s.changed, strings.Join(s.seen, "; ")
		s.mutex.Unlock()
		if ending != nil {
			return Frame{}, ending
		}
		select {
		case <-changed:
		case <-timer.C:
			return Frame{}, fmt.Errorf("the device %s did not get %s within %s. Since the socket was opened it got: %s", s.device.ID, what, limit, seen)
		}
	}
}

// Request sends a message of the socket's protocol, and waits for its answer: Request("ack", JSON{"ids": …}).
func (s *Socket) Request(kind string, members JSON) Frame {
	s.device.gateway.t.Helper()
	answer, err := s.TryRequest(kind, members)
	s.device.gateway.check(err)
	return answer
}

// TryRequest is like Request, but returns an error instead of ending the test: of the type *CallRefused if the gateway
// refuses the message.
func (s *Socket) TryRequest(kind string, members JSON) (Frame, error) {
	s.references++
	reference := fmt.Sprintf("kit-%d", s.references)
	s.send(merged(members, JSON{"type": kind, "ref": reference}))
	answer, err := s.TryNext("an answer to "+kind, frameLimit, func(frame Frame) bool { return frame.All["ref"] == reference })
	if err != nil {
		return answer, err
	}
	return answer, refusalOf(kind, answer)
}

// Close closes the socket, and waits until it is closed.
func (s *Socket) Close() {
	s.webSocket.Close(1000, "")
	s.WaitForClose()
}

// WaitForClose waits up to 5 s until the socket is closed, by the gateway or by Close, and returns the code and reason.
func (s *Socket) WaitForClose() SocketClosed {
	s.device.gateway.t.Helper()
	_, err := s.TryNext("a Close frame", frameLimit, func(Frame) bool { return false })
	ending, isClosed := err.(*SocketClosed)
	if !isClosed {
		s.webSocket.Drop()
		s.device.gateway.t.Fatal(err)
	}
	return *ending
}

// send fails only if the connection has ended, and then waiting for an answer says why.
func (s *Socket) send(message JSON) {
	text, err := json.Marshal(message)
	s.device.gateway.check(err)
	s.webSocket.Send(text)
}

func refusalOf(kind string, answer Frame) error {
	if answer.Type != "error" {
		return nil
	}
	text := func(name string) string { value, _ := answer.All[name].(string); return value }
	return &CallRefused{kind, 400, text("code"), text("message"), text("pointer")}
}
