internal import HTTP1
internal import HTTPCore
internal import Routing

/// Answers that come after an event, a timeout or a write to the disk.
extension HTTP1Channel {
    /// Pauses the connection until the answer comes.
    func deferAnswer(to request: Request, keepAlive: Bool) {
        pause = .untilAnswered
        deferred = (
            request, ResponseEncoder(answering: request.method, version: request.version, keepAlive: keepAlive),
            keepAlive
        )
    }

    /// Sends the deferred answer, or the head of a streamed one.
    func sendDeferred(_ response: Response) {
        guard var waiting = deferred else { return }
        let response = addingCORS(to: response, for: waiting.request)
        begin(response, &waiting.encoder)
        deferred = waiting
        if case .stream = response.body { return }
        finishDeferred()
    }

    /// Appends an answer, or the head of a streamed one.
    func begin(_ response: Response, _ encoder: inout ResponseEncoder) {
        let body = encoder.begin(response, date: connection.gateway.httpDate, into: &output.tail)
        if let body { output.append(body: body) }
    }

    /// The answer, with the fields of CORS if it is for a web page of an allowed origin.
    func addingCORS(to response: Response, for request: Request) -> Response {
        guard request.route.isForAllowedPage else { return response }
        return response.readable(by: request.headers.first(.origin) ?? [])
    }

    /// Sends one more piece of a streamed answer.
    func stream(_ bytes: [UInt8], ends: Bool) {
        deferred?.encoder.chunk(bytes[...], into: &output.tail)
        guard ends else { return }
        deferred?.encoder.end(into: &output.tail)
        finishDeferred()
    }

    private func finishDeferred() {
        if deferred?.encoder.mustClose == true { isEnding = true }
        deferred = nil
        isWaiting = false
        pause = .none
        resume()
    }
}
