internal import HTTP1
internal import HTTPCore

/// Refusing what is not a valid request.
extension HTTP1Channel {
    func refuse(_ refusal: Refusal) {
        isEnding = true
        // A broken HTTP/2 preface, or another protocol: the client could not read an answer.
        let isAnswered = refusal != .notHTTP || head != nil
        connection.gateway.refusedMessage(refusal.id, isAnswered ? refusal.status : nil)
        guard isAnswered else { return }
        var encoder = ResponseEncoder(answering: .other, version: .http11, keepAlive: false)
        let response = Response(
            status: refusal.status, contentType: "text/plain; charset=utf-8", text: refusal.reason + "\n")
        encoder.respond(with: response, date: connection.gateway.httpDate, into: &output.tail)
    }
}
