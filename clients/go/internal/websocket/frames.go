package websocket

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// The opcodes of WebSocket's frames (RFC 6455 §5.2).
const (
	opContinuation = 0
	opText         = 1
	opBinary       = 2
	opClose        = 8
	opPing         = 9
	opPong         = 10
)

// messageLimit bounds a message. The largest is a welcome with a full shade.
const messageLimit = 16 << 20

// frameError is a frame that breaks the protocol; the code says how.
type frameError struct {
	code int
	text string
}

func (e *frameError) Error() string { return e.text }

// frame is a whole message or a control frame. Code is that of a Close frame.
type frame struct {
	opcode  byte
	payload []byte
	code    int
}

// encodeFrame returns one whole frame, masked as a client's frames have to be.
func encodeFrame(opcode byte, payload []byte, mask [4]byte) []byte {
	bytes := []byte{0x80 | opcode}
	switch length := len(payload); {
	case length < 126:
		bytes = append(bytes, 0x80|byte(length))
	case length < 1<<16:
		bytes = binary.BigEndian.AppendUint16(append(bytes, 0x80|126), uint16(length))
	default:
		bytes = binary.BigEndian.AppendUint64(append(bytes, 0x80|127), uint64(length))
	}
	bytes = append(bytes, mask[:]...)
	for index, value := range payload {
		bytes = append(bytes, value^mask[index&3])
	}
	return bytes
}

// closeBody is the payload of a Close frame. The reason is cut to the 123 bytes that fit, between characters.
func closeBody(code int, reason string) []byte {
	end := len(reason)
	for end > 123 || end < len(reason) && !utf8.RuneStart(reason[end]) {
		end--
	}
	return append(binary.BigEndian.AppendUint16(nil, uint16(code)), reason[:end]...)
}

// frameReader reads a server's frames, and puts fragments together.
type frameReader struct {
	input *bufio.Reader
	// The fragments of the message that has begun.
	message   []byte
	isStarted bool
}

// next is the next message or control frame.
func (r *frameReader) next() (frame, error) {
	for {
		opcode, isLast, payload, err := r.read()
		if err != nil {
			return frame{}, err
		}
		switch {
		case opcode == opClose:
			return closeFrame(payload)
		case opcode == opPing || opcode == opPong:
			return frame{opcode: opcode, payload: payload}, nil
		case opcode == opBinary:
			return frame{}, &frameError{1003, "a frame is binary"}
		case (opcode == opContinuation) != r.isStarted:
			return frame{}, &frameError{1002, "a frame does not continue the message before it"}
		}
		r.message, r.isStarted = append(r.message, payload...), !isLast
		if isLast {
			whole := r.message
			r.message = nil
			return frame{opcode: opText, payload: whole}, valid(whole)
		}
	}
}

// read reads one frame, whatever it is.
func (r *frameReader) read() (opcode byte, isLast bool, payload []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(r.input, head[:]); err != nil {
		return
	}
	opcode, isLast = head[0]&0x0f, head[0]&0x80 != 0
	length := uint64(head[1] & 0x7f)
	switch {
	case head[0]&0x70 != 0:
		err = &frameError{1002, "a frame has a reserved bit"}
	case head[1]&0x80 != 0:
		err = &frameError{1002, "a frame of a server is masked"}
	case opcode > opPong || opcode > opBinary && opcode < opClose:
		err = &frameError{1002, fmt.Sprintf("a frame has the opcode %d", opcode)}
	case opcode >= opClose && (length > 125 || !isLast):
		err = &frameError{1002, "a control frame is too long or fragmented"}
	}
	if err != nil {
		return
	}
	if extra := map[uint64]int{126: 2, 127: 8}[length]; extra > 0 {
		var long [8]byte
		if _, err = io.ReadFull(r.input, long[8-extra:]); err != nil {
			return
		}
		length = binary.BigEndian.Uint64(long[:])
	}
	if length > messageLimit || length+uint64(len(r.message)) > messageLimit {
		err = &frameError{1009, "a message is too long"}
		return
	}
	payload = make([]byte, length)
	_, err = io.ReadFull(r.input, payload)
	return
}

func closeFrame(payload []byte) (frame, error) {
	switch {
	case len(payload) == 0:
		return frame{opcode: opClose, code: 1005}, nil
	case len(payload) == 1:
		return frame{}, &frameError{1002, "a Close frame has half a code"}
	}
	reason := payload[2:]
	return frame{opClose, reason, int(binary.BigEndian.Uint16(payload))}, valid(reason)
}

func valid(text []byte) error {
	if !utf8.Valid(text) {
		return &frameError{1007, "a text is not UTF-8"}
	}
	return nil
}

// closeCodeOf returns the close code for an error of reading; 1006 if the connection has ended.
func closeCodeOf(err error) int {
	var broken *frameError
	if errors.As(err, &broken) {
		return broken.code
	}
	return 1006
}
