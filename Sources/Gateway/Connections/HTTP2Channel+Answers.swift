internal import HTTP2
internal import HTTPCore
internal import Routing

/// Sending answers.
extension HTTP2Channel {
    /// Sends a deferred answer.
    func answer(_ response: Response, on stream: StreamID, isHead: Bool, adjustsStreamLimit: Bool) {
        newestAnswered = max(newestAnswered, stream)
        if adjustsStreamLimit, connection.facts.role == .apns || faultLimit != nil {
            adjustStreamLimit(after: response.status)
        }
        server.setTime(connection.gateway.loopNow)
        respond(response, on: stream, isHead: isHead)
        settle(stream)
    }

    /// Sends one more piece of a streamed answer.
    func stream(_ bytes: [UInt8], on stream: StreamID, ends: Bool) {
        server.setTime(connection.gateway.loopNow)
        server.send(bytes, on: stream)
        if ends { server.finish(stream) }
    }

    /// Sends an answer, or the head of a streamed one. A web page of an allowed origin can read it.
    func respond(_ response: Response, on stream: StreamID, isHead: Bool = false) {
        let answer = pages[stream].map { response.readable(by: $0) } ?? response
        server.respond(answer, on: stream, isHead: isHead)
    }
}
