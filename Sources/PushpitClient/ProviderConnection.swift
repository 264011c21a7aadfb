internal import EventLoop
internal import HTTP2
internal import HTTPCore

/// An HTTP/2 connection to a gateway that sends one request at a time.
struct ProviderConnection {
    private let address: SocketAddress
    private let connection: BlockingClient
    private let client = HTTP2Client()

    /// How many times bytes are exchanged before a missing answer becomes an error.
    private static let maxAttempts = 100

    /// - Parameter authority: the trusted certificate authority in PEM format; nil for clear text.
    init(to address: SocketAddress, trusting authority: [UInt8]?) throws(BlockingClient.Failure) {
        self.address = address
        connection = try BlockingClient(to: address, trusting: authority)
    }

    func send(_ headers: HeaderBlock, body: [UInt8]) throws(BlockingClient.Failure) -> Response {
        let stream = client.send(headers, body: body)
        for _ in 0..<Self.maxAttempts {
            let input = try connection.exchange(client.drain())
            do throws(HTTP2Failure) { try client.receive(input.span) } catch {
                throw BlockingClient.Failure(description: error.description)
            }
            if let answer = client.takeAnswer(to: stream) {
                if let reason = incompleteness(of: answer, on: stream) {
                    throw BlockingClient.Failure(description: reason)
                }
                return answer
            }
            if input.isEmpty { break }
        }
        throw BlockingClient.Failure(
            description: "no answer from \(address)\(goAwayNote), and it closed the connection or stayed silent")
    }

    /// Why an answer is not complete; nil if it is.
    private func incompleteness(of answer: Response, on stream: StreamID) -> String? {
        let reset = client.reset(of: stream)
        if answer.status != 0 {
            return reset.map {
                "\(address) answered \(answer.status), but reset the stream with \($0.name) before the end of the answer"
            }
        }
        // The server knows nothing of streams above the last one of its GOAWAY.
        if let goAway = client.goAway, stream > goAway.lastStream { return "no answer from \(address)\(goAwayNote)" }
        return "no answer from \(address): it reset the stream with \(reset?.name ?? "NO_ERROR")\(goAwayNote)"
    }

    /// What the server's GOAWAY says, as part of a sentence; empty if it has sent none.
    private var goAwayNote: String {
        client.goAway.map { goAway in
            let text = goAway.text.isEmpty ? "" : ": \(goAway.text)"
            return "; it sent GOAWAY with \(goAway.code.name) and last stream \(goAway.lastStream)\(text)"
        } ?? ""
    }
}
