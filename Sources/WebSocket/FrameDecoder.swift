/// Decodes the frames that one side sends, from input split anywhere, and joins fragmented messages.
package struct FrameDecoder: Sendable {
    package enum Event: Sendable, Equatable {
        case message(Opcode, [UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// The code is nil if the frame was empty.
        case close(CloseCode?, String)
    }

    private enum State {
        case head(FrameHeadReader)
        case payload(FrameHead)
        case failed(CloseCode)
    }

    private let expectsMask: Bool
    private let messageLimit: Int
    private var state: State
    /// The message whose fragments are being read; nil between messages.
    private var message: PartialMessage?
    /// The number of empty fragments of that message. They are limited, because they could go on forever.
    private var emptyFragments = 0
    private static let emptyFragmentLimit = 1000
    /// The payload of the current control frame. Control frames may arrive between the fragments of a message.
    private var control: [UInt8] = []

    package init(expectsMask: Bool, messageLimit: Int) {
        self.expectsMask = expectsMask
        self.messageLimit = messageLimit
        state = .head(FrameHeadReader(expectsMask: expectsMask))
    }

    /// The number of bytes held for an incomplete message.
    package var unfinishedBytes: Int { message?.bytes.count ?? 0 }

    /// Returns the next event and moves `offset` past the bytes that were read. Nil if more input is needed. An error
    /// is final: every later call throws it again.
    package mutating func next(_ input: Span<UInt8>, from offset: inout Int) throws(CloseCode) -> Event? {
        do throws(CloseCode) {
            while true {
                switch state {
                case .head(var reader):
                    guard let head = try readHead(&reader, input, &offset) else {
                        state = .head(reader)
                        return nil
                    }
                    try begin(head)
                case .payload(let head):
                    let count = min(head.left, input.count - offset)
                    try readPayload(head, input.extracting(offset..<(offset + count)))
                    offset += count
                    guard count == head.left else { return nil }
                    state = .head(FrameHeadReader(expectsMask: expectsMask))
                    if let event = try finish(head) { return event }
                case .failed(let code):
                    throw code
                }
            }
        } catch {
            state = .failed(error)
            throw error
        }
    }

    private func readHead(
        _ reader: inout FrameHeadReader, _ input: Span<UInt8>, _ offset: inout Int
    ) throws(CloseCode) -> FrameHead? {
        let room = messageLimit - (message?.bytes.count ?? 0)
        while offset < input.count {
            let byte = input[offset]
            offset += 1
            if let head = try reader.read(byte, isInMessage: message != nil, room: room) { return head }
        }
        return nil
    }

    private mutating func begin(_ head: FrameHead) throws(CloseCode) {
        state = .payload(head)
        guard !head.opcode.isControl else { return }
        if head.opcode != .continuation {
            message = PartialMessage(head.opcode, expecting: head.left)
            emptyFragments = 0
        }
        guard head.left == 0, !head.isFinal else { return }
        emptyFragments += 1
        if emptyFragments > Self.emptyFragmentLimit { throw .notAllowed }
    }

    private mutating func readPayload(_ head: FrameHead, _ input: Span<UInt8>) throws(CloseCode) {
        var head = head
        head.left -= input.count
        if head.opcode.isControl {
            head.mask.apply(to: input, appendingTo: &control)
        } else {
            try message?.append(input, unmaskedBy: &head.mask)
        }
        state = .payload(head)
    }

    private mutating func finish(_ head: FrameHead) throws(CloseCode) -> Event? {
        let payload = control
        control = []
        switch head.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        case .close: return try readClose(payload)
        case .continuation, .text, .binary:
            guard head.isFinal, let complete = message else { return nil }
            guard complete.mayEnd else { throw .invalidText }
            message = nil
            return .message(complete.opcode, complete.bytes)
        }
    }

    private func readClose(_ bytes: [UInt8]) throws(CloseCode) -> Event {
        if bytes.isEmpty { return .close(nil, "") }
        guard bytes.count >= 2 else { throw .protocolError }
        let code = CloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.isAllowedOnWire else { throw .protocolError }
        guard let reason = String(validating: bytes.dropFirst(2), as: UTF8.self) else { throw .invalidText }
        return .close(code, reason)
    }
}
