internal import HTTP1
internal import HTTP2
internal import HTTPCore

/// A client's side of a protocol: requests in, bytes out; bytes in, answers out.
protocol ClientCodec: AnyObject {
    /// Encodes a request. Returns the number of the call and the bytes to send.
    func start(_ request: Request) -> (call: Int, bytes: [UInt8])
    /// Processes bytes from the gateway. Returns bytes to send.
    func receive(_ bytes: [UInt8]) throws -> [UInt8]
    /// The answer to a request; nil while it is incomplete. Throws if its stream was reset.
    func takeAnswer(to call: Int) throws -> TestResponse?
    /// The body so far of an answer that comes in pieces.
    func body(of call: Int) -> [UInt8]
}

final class HTTP2ClientCodec: ClientCodec {
    private let client = HTTP2Client()
    private(set) var recorder = FrameRecorder()

    func start(_ request: Request) -> (call: Int, bytes: [UInt8]) {
        let stream = client.send(request.headers, body: request.body)
        return (Int(stream), client.drain())
    }

    func receive(_ bytes: [UInt8]) throws -> [UInt8] {
        recorder.read(bytes)
        do throws(HTTP2Failure) { try client.receive(bytes.span) } catch {
            throw TestFailure(.badBytes, "the client's HTTP/2 library rejects what the gateway sent: \(error)")
        }
        return client.drain()
    }

    func takeAnswer(to call: Int) throws -> TestResponse? {
        guard let answer = client.takeAnswer(to: StreamID(call)) else { return nil }
        // NO_ERROR after a complete answer says that the rest of the request is not needed (RFC 9113 §8.1).
        if let code = recorder.resets[call], code != 0 {
            throw TestFailure(.reset(code), "the gateway reset stream \(call) with \(code)")
        }
        guard answer.status > 0 else {
            throw TestFailure(.ended, "stream \(call) was closed without an answer; GOAWAY: \(recorder.goAways)")
        }
        return TestResponse(answer)
    }

    func body(of call: Int) -> [UInt8] { recorder.bodies[call] ?? [] }
}

final class HTTP1ClientCodec: ClientCodec {
    private var parser = ResponseParser()
    private var started = 0
    /// The answers so far, in the order of their requests. The last one may be incomplete.
    private var answers: [(response: Response, body: [UInt8], isWhole: Bool)] = []
    /// Statuses of interim answers.
    private(set) var interim: [Int] = []

    func start(_ request: Request) -> (call: Int, bytes: [UInt8]) {
        defer { started += 1 }
        parser.requestSent(request.method)
        var output: [UInt8] = []
        RequestEncoder.append(request, into: &output)
        return (started, output)
    }

    func receive(_ bytes: [UInt8]) throws -> [UInt8] {
        var offset = 0
        do throws(BadResponse) {
            while let event = try parser.next(bytes.span, from: &offset) {
                switch event {
                case .interim(let status): interim.append(status)
                case .head(let head): answers.append((head.response, [], false))
                case .body(let range): answers[answers.count - 1].body += bytes[range]
                case .end: answers[answers.count - 1].isWhole = true
                case .switched, .bodyOverLimit, .mustClose: return []
                }
            }
        } catch { throw TestFailure(.badBytes, error.reason) }
        return []
    }

    func takeAnswer(to call: Int) throws -> TestResponse? {
        guard answers.indices.contains(call), answers[call].isWhole else { return nil }
        return TestResponse(answers[call].response, body: answers[call].body)
    }

    func body(of call: Int) -> [UInt8] { answers.indices.contains(call) ? answers[call].body : [] }
}
