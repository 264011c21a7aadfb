@testable import PushpitTesting

/// The requests of a script.
extension CallPlay {
    /// Sends a request, or several in one piece, each with the odd values after those of the one before.
    func request(_ index: Int, count: Int, _ reader: inout ByteReader) {
        let template = CallRows.requests[Int(reader.byte()) % CallRows.requests.count]
        guard let connection = connection(index) else { return }
        let start = reader
        host.holding {
            for number in 0..<count {
                reader = start
                send(template, template.filled(&reader, shift: UInt8(number)), connection, index)
            }
        }
    }

    /// Sends a request once for each of its parts, with an odd value there. A change anywhere in the script means other
    /// values, so that the fuzzer, which changes little at a time, tries new ones here with each input.
    func vary(_ index: Int, _ reader: inout ByteReader) {
        let template = CallRows.requests[Int(reader.byte()) % CallRows.requests.count]
        let choice = reader.byte() &+ salt
        guard let connection = connection(index) else { return }
        for place in 0..<template.places {
            send(template, template.filled([place: choice &+ UInt8(place)], &reader), connection, index)
        }
    }

    private func send(
        _ template: CallTemplate, _ filled: CallTemplate.Filled, _ connection: TestConnection, _ index: Int
    ) {
        let path = String(decoding: filled.path, as: UTF8.self)
        var headers = TestFields()
        for (name, value) in filled.headers { headers.append(name, value) }
        addUsual(to: &headers, path)
        note(template, filled)
        // The client of HTTP/1.1 does not send such a field, so it is written without the client.
        if filled.hasOddHeader, index >= 2 {
            return write(http1(template.method, path, headers, filled.body), to: index)
        }
        if filled.hasBytes, index >= 2 { odd.insert(index) }
        guard let call = try? connection.start(template.method, path, headers: headers, body: filled.body),
            !odd.contains(index)
        else { return }
        let isPush = path.hasPrefix("/3/") || path.hasSuffix(":send")
        sent.append(Sent(call: call, isControl: path.hasPrefix("/api/v1/"), isPush: isPush))
    }

    private func http1(_ method: String, _ path: String, _ headers: TestFields, _ body: [UInt8]) -> [UInt8] {
        let fields = headers.all.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "\(method) \(path) HTTP/1.1\r\nhost: localhost\r\ncontent-length: \(body.count)\r\n\(fields)\r\n"
        return Array(head.utf8) + body
    }

    /// Adds the fields that a request of this kind needs, unless the template has them.
    private func addUsual(to headers: inout TestFields, _ path: String) {
        let isApple = path.hasPrefix("/3/") || path.hasPrefix("/1/") || path.hasPrefix("/4/")
        let usual =
            isApple
            ? [("authorization", test.authorization), ("apns-topic", "com.example.app")]
            : [("authorization", "Bearer x"), ("content-type", "application/json")]
        for (name, value) in usual where !headers.all.contains(where: { $0.name == name }) {
            headers.append(name, value)
        }
    }

    /// Remembers that a request may delete pushes or set faults. A fault may answer 200 to what it refuses.
    private func note(_ template: CallTemplate, _ filled: CallTemplate.Filled) {
        let path = String(decoding: template.path, as: UTF8.self)
        let deletes = template.method == "DELETE" && path.hasPrefix("/api/v1/messages") || path.hasSuffix("/reset")
        let faults = path.hasPrefix("/api/v1/faults") || path.hasPrefix("/api/v1/scenarios")
        if deletes || faults || filled.hasBytes { keepsPushes = false }
        if faults || filled.hasBytes { isFaultless = false }
    }
}
