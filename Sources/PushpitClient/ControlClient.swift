package import EventLoop
internal import HTTP1
internal import HTTPCore
internal import PushCore

/// Makes calls to the control API, each with a separate blocking socket.
package struct ControlClient {
    private let address: SocketAddress
    private let apiToken: String?
    private let timeout: UInt64

    package struct Answer {
        package let status: Int
        package let body: [UInt8]
    }

    /// - Parameter timeout: how many milliseconds to wait for an answer.
    package init(_ address: SocketAddress, apiToken: String?, timeout: UInt64) {
        self.address = address
        self.apiToken = apiToken
        self.timeout = timeout
    }

    package func get(_ path: String) throws(BlockingClient.Failure) -> Answer { try call(.get, path, []) }

    package func post(_ path: String, _ body: [UInt8]) throws(BlockingClient.Failure) -> Answer {
        try call(.post, path, body)
    }

    package func delete(_ path: String) throws(BlockingClient.Failure) -> Answer { try call(.delete, path, []) }

    private func call(
        _ method: Method, _ path: String, _ body: [UInt8]
    ) throws(BlockingClient.Failure) -> Answer {
        guard let socket = BlockingSocket(to: address, timeout: timeout) else {
            throw BlockingClient.Failure(description: "cannot connect to \(address)", isUnreachable: true)
        }
        let token = apiToken.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let content =
            method == .get ? "" : "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        let head = """
            \(method.rawValue) \(WireNames.controlRoot)\(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r
            \(content)\(token)\r\n
            """
        socket.write(Array(head.utf8) + body)
        var parser = ResponseParser()
        parser.requestSent(method)
        var (status, answer): (Int, [UInt8]) = (0, [])
        do throws(BadResponse) {
            while case let input = socket.read(), !input.isEmpty {
                var offset = 0
                while let event = try parser.next(input.span, from: &offset) {
                    switch event {
                    case .head(let head): status = head.response.status
                    case .body(let range): answer += input[range]
                    case .end: return Answer(status: status, body: answer)
                    case .interim, .switched, .bodyOverLimit, .mustClose: break
                    }
                }
            }
        } catch {
            throw BlockingClient.Failure(
                description:
                    "\(address) does not speak HTTP/1.1; if it is a Pushpit listener with the role apns, use another listener"
            )
        }
        throw BlockingClient.Failure(description: "\(address) did not answer")
    }
}
