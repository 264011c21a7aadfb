package websocket

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

// served is a frame as a server sends it: without a mask.
func served(opcode byte, payload string, isLast bool) []byte {
	frame := encodeFrame(opcode, []byte(payload), [4]byte{})
	head := map[byte]int{126: 4, 127: 10}[frame[1]&0x7f]
	if head == 0 {
		head = 2
	}
	frame = append(frame[:head:head], frame[head+4:]...)
	frame[1] &= 0x7f
	if !isLast {
		frame[0] &= 0x7f
	}
	return frame
}

var stream = bytes.Join([][]byte{
	served(opText, "Hellö", true), served(opText, "a", false), served(opPing, "p", true),
	served(opContinuation, strings.Repeat("ä", 200), false), served(opContinuation, "", true),
	served(opText, strings.Repeat("x", 70_000), true), served(opText, "", true), served(opClose, string(closeBody(4003, "gone")), true),
}, nil)

var expected = []string{"Hellö", "p", "a" + strings.Repeat("ä", 200), strings.Repeat("x", 70_000), "", "gone"}

// pieces reads in pieces of random sizes.
type pieces struct {
	io.Reader
	*rand.Rand
}

func (p pieces) Read(into []byte) (int, error) {
	return p.Reader.Read(into[:1+p.Intn(len(into))])
}

func TestFramesAreReadAllAtOnceByteByByteAndInRandomPieces(t *testing.T) {
	readers := []io.Reader{bytes.NewReader(stream), iotest.OneByteReader(bytes.NewReader(stream))}
	for seed := int64(1); seed <= 5; seed++ {
		readers = append(readers, pieces{bytes.NewReader(stream), rand.New(rand.NewSource(seed))})
	}
	for index, input := range readers {
		reader := frameReader{input: bufio.NewReader(input)}
		var found []string
		for {
			next, err := reader.next()
			if err != nil {
				t.Fatal(index, err)
			}
			found = append(found, string(next.payload))
			if next.opcode == opClose {
				if next.code != 4003 {
					t.Error(index, "the code is", next.code)
				}
				break
			}
		}
		if !reflect.DeepEqual(found, expected) {
			t.Error("reader", index, "reads", found)
		}
	}
}

func TestBadFramesAreRefusedWithTheCodeOfRFC6455(t *testing.T) {
	rows := []struct {
		code  int
		bytes []byte
	}{
		{1002, []byte{0xc1, 0}}, {1002, []byte{0x81, 0x80, 0, 0, 0, 0}}, {1002, []byte{0x83, 0}}, {1002, []byte{0x8b, 0}},
		{1002, []byte{0x89, 126, 0, 126}}, {1002, []byte{0x09, 0}}, {1002, []byte{0x80, 0}}, {1002, []byte{0x88, 1, 3}},
		{1003, []byte{0x82, 0}}, {1007, []byte{0x81, 1, 0xff}}, {1007, []byte{0x88, 3, 3, 232, 0xff}},
		{1009, []byte{0x81, 127, 0, 0, 0, 0, 1, 0, 0, 1}}, {1009, []byte{0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{1009, append(served(opText, "a", false), 0x80, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)},
		{1002, append(served(opText, "a", false), served(opText, "b", true)...)}, {1006, []byte{0x81, 5, 'a'}},
	}
	for _, row := range rows {
		reader := frameReader{input: bufio.NewReader(bytes.NewReader(row.bytes))}
		_, err := reader.next()
		if err == nil || closeCodeOf(err) != row.code {
			t.Errorf("%v: got %v, wanted %d", row.bytes, err, row.code)
		}
	}
}

func TestAClientMasksItsFramesInEachFormOfTheLength(t *testing.T) {
	for _, row := range [][2]int{{125, 2}, {126, 4}, {65_535, 4}, {65_536, 10}} {
		length, head := row[0], row[1]
		payload := bytes.Repeat([]byte("a"), length)
		mask := [4]byte{1, 2, 3, 4}
		frame := encodeFrame(opText, payload, mask)
		if len(frame) != head+4+length || frame[1]&0x80 == 0 || !bytes.Equal(frame[head:head+4], mask[:]) {
			t.Fatalf("the frame of %d bytes begins with %v and has %d bytes", length, frame[:head+4], len(frame))
		}
		for index := range payload {
			payload[index] ^= mask[index%4]
		}
		if !bytes.Equal(frame[head+4:], payload) {
			t.Errorf("the frame of %d bytes is not masked", length)
		}
	}
}

func TestALongReasonIsCutBetweenCharacters(t *testing.T) {
	if body := closeBody(1000, strings.Repeat("ä", 100)); string(body[2:]) != strings.Repeat("ä", 61) {
		t.Errorf("the reason has %d bytes: %q", len(body)-2, body[2:])
	}
}

func TestTheAcceptValueIsThatOfRFC6455(t *testing.T) {
	if value := acceptValue("dGhlIHNhbXBsZSBub25jZQ=="); value != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Error(value)
	}
}

// serve accepts one connection and lets answer reply to its WebSocket handshake. The head is a correct answer without
// the empty line at its end, so a test can spoil it.
func serve(t *testing.T, answer func(stream net.Conn, head string)) *url.URL {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		stream, err := listener.Accept()
		if err != nil {
			return
		}
		defer stream.Close()
		request, err := http.ReadRequest(bufio.NewReader(stream))
		if err != nil {
			return
		}
		answer(stream, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "+
			acceptValue(request.Header.Get("Sec-WebSocket-Key"))+"\r\n")
	}()
	return &url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/"}
}

func TestHandshakesThatAreNotRightAreRefused(t *testing.T) {
	rows := []struct {
		answer func(head string) string
		wanted string
	}{
		{func(string) string { return "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno" }, `answered 403: no`},
		{func(string) string {
			return "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: other\r\n\r\n"
		}, `does not fit the key`},
		{func(head string) string { return head + "Sec-WebSocket-Protocol: other\r\n\r\n" }, `subprotocol 'other', which was not offered`},
		{func(string) string { return "" }, `ended the connection during the WebSocket handshake`},
	}
	for _, row := range rows {
		location := serve(t, func(stream net.Conn, head string) { io.WriteString(stream, row.answer(head)) })
		_, err := Open(location, nil, http.Header{}, "mine")
		if err == nil || !regexp.MustCompile(row.wanted).MatchString(err.Error()) {
			t.Errorf("got %v, wanted %q", err, row.wanted)
		}
	}
}

func TestBytesAfterTheHandshakeAreFramesAndABadFrameEndsTheSocket(t *testing.T) {
	answers := make(chan []byte, 1)
	location := serve(t, func(stream net.Conn, head string) {
		stream.Write(bytes.Join([][]byte{[]byte(head + "\r\n"), served(opText, "first", true), served(opPing, "now", true), {0x83, 0}}, nil))
		all, _ := io.ReadAll(stream)
		answers <- all
	})
	socket, err := Open(location, nil, http.Header{}, "mine")
	if err != nil {
		t.Fatal(err)
	}
	if text, ending := socket.Receive(); string(text) != "first" || ending != nil {
		t.Errorf("got %q, %v", text, ending)
	}
	var closed *Closed
	if _, ending := socket.Receive(); !errors.As(ending, &closed) || closed.Code != 1002 || closed.Reason != "a frame has the opcode 3" {
		t.Errorf("got %v", ending)
	}
	socket.Drop()
	if answer := <-answers; answer[0] != 0x80|opPong || answer[1] != 0x80|3 || answer[9] != 0x80|opClose {
		t.Errorf("the client answered %v", answer)
	}
}
