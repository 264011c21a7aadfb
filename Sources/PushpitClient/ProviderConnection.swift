internal import EventLoop
internal import HTTP2
internal import HTTPCore

/// One connection to a gateway, on which requests are answered one after the other.
struct ProviderConnection {
    private let address: SocketAddress
    private let connection: BlockingClient
    private let client = HTTP2Client()

    /// Exchanges of bytes until an answer must be there.
    private static let patience = 100

    /// - Parameter authority: whom to trust, as PEM; nil: clear text.
    init(to address: SocketAddress, trusting authority: [UInt8]?) throws(BlockingClient.Failure) {
        self.address = address
        connection = try BlockingClient(to: address, trusting: authority)
    }

    func send(_ headers: HeaderBlock, body: [UInt8]) throws(BlockingClient.Failure) -> Response {
        let stream = client.send(headers, body: body)
        for _ in 0..<Self.patience {
            let input = try connection.exchange(client.drain())
            do throws(HTTP2Failure) { try client.receive(input.span) } catch {
                throw BlockingClient.Failure(description: error.description)
            }
            if let answer = client.takeAnswer(to: stream) { return answer }
            if input.isEmpty { break }
        }
        throw BlockingClient.Failure(
            description: "no answer from \(address); \(client.goAwayText ?? "it said nothing")")
    }
}
