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
            if let answer = client.takeAnswer(to: stream) { return answer }
            if input.isEmpty { break }
        }
        throw BlockingClient.Failure(
            description: "no answer from \(address); \(client.goAwayText ?? "it did not say why (no GOAWAY)")")
    }
}
