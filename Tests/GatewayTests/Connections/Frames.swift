/// The whole frames of HTTP/2 at the beginning of some bytes.
struct Frames {
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: Int
        let payload: [UInt8]
    }

    private(set) var all: [Frame] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { return }
            let stream = head[5...].reduce(0) { $0 << 8 | Int($1) }
            all.append(
                Frame(type: head[3], flags: head[4], stream: stream, payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
    }
}
