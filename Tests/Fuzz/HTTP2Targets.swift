import HTTP2
import HTTPCore

/// The events of a connection are the same however its bytes are cut, up to where the peer says goodbye: behind that
/// nghttp2 reads on only until its caller asks again. The input stands behind a good preface.
/// Options: 0 small limits, 1 no preface.
func fuzzHTTP2Bytes(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    Trace.demandSame(pieces) { cut in
        let server = makeServer(isSmall: pieces.isSet(0))
        var trace = Trace()
        var output: [UInt8] = []
        do throws(HTTP2Failure) {
            let preface = pieces.isSet(1) ? [] : FrameScript.preface
            for piece in [preface[...]] + cut {
                let piece = Array(piece)
                var offset = 0
                while offset < piece.count {
                    try server.receive(piece.span, from: &offset, at: 0)
                    while let event = server.nextEvent() {
                        trace.add(describe(event))
                        if case .goAwayReceived = event { return trace }
                    }
                }
            }
            server.drain(into: &output, upTo: 1 << 20)
            demandFrames(output)
            trace.end()
        } catch {
            trace.end("failed \(error.code)")
        }
        return trace
    }
}

/// Frames of random contents, and between them all that the owner of a connection may do: nothing traps, what goes
/// out is whole frames, and the number of streams stays within its limit.
func fuzzHTTP2Frames(_ input: [UInt8]) {
    guard let first = input.first else { return }
    var reader = ByteReader(input.dropFirst())
    let server = makeServer(isSmall: first & 1 == 1)
    var output: [UInt8] = []
    var open: [StreamID] = []
    var bytes = FrameScript.preface + FrameScript.frame(4, 0, 0, [])
    var now: UInt64 = 0
    for _ in 0..<300 where !server.isFinished {
        var offset = 0
        do throws(HTTP2Failure) {
            while offset < bytes.count { try server.receive(bytes.span, from: &offset, at: now) }
        } catch { break }
        while let event = server.nextEvent() {
            switch event {
            case .request(let id, _), .headersTooLarge(let id, _): open.append(id)
            case .closed(let id, _): open.removeAll { $0 == id }
            case .settingsAcknowledged, .goAwayReceived: break
            }
        }
        demand(server.openStreams <= 2048, "\(server.openStreams) streams")
        if reader.isAtEnd { break }
        act(reader.byte(), on: server, &open)
        now += 7
        if reader.byte() & 1 == 0 { server.drain(into: &output, upTo: 1 << 20) }
        bytes = FrameScript.frame(&reader)
    }
    server.drain(into: &output, upTo: 1 << 20)
    demandFrames(output)
}

/// What an owner may do to the oldest stream, or to the connection.
private func act(_ what: UInt8, on server: HTTP2Server, _ open: inout [StreamID]) {
    let stream = open.first ?? StreamID(what)
    let body = [UInt8](repeating: 0x61, count: Int(what) * 300)
    switch what % 12 {
    case 0: server.respond(Response(status: 200), on: stream)
    case 1:
        server.respond(
            Response(status: 400, contentType: "application/json", text: "{}"), on: stream,
            isHead: what & 16 == 0)
    case 2: server.respond(Response(status: 200, body: .bytes(body)), on: stream)
    case 3: server.respond(Response(status: 200, body: .stream), on: stream)
    case 4: server.send(body, on: stream)
    case 5: server.finish(stream)
    case 6: server.reset(stream, .cancel)
    case 7: server.advertise(maxConcurrentStreams: UInt32(what))
    case 8: server.ping()
    case 9: server.goAway(.noError, debug: [what])
    case 10: open = Array(open.dropFirst())
    default: _ = server.unsentBytes(on: stream)
    }
}

private func makeServer(isSmall: Bool) -> HTTP2Server {
    var settings = HTTP2Settings()
    var limits = HTTP2Limits()
    if isSmall {
        settings.maxConcurrentStreams = 2
        settings.maxHeaderListSize = 200
        limits.openStreams = 3
        limits.discardedBody = 20
        limits.bufferedBodies = 40
        limits.resets = TokenBucket(capacity: 5, perSecond: 1)
        limits.idleFrames = TokenBucket(capacity: 5, perSecond: 1)
        limits.windowUpdates = TokenBucket(capacity: 5, perSecond: 1)
        limits.provokedResets = TokenBucket(capacity: 2, perSecond: 1)
        limits.decodedHeaderList = 400
    }
    return HTTP2Server(settings: settings, limits: limits) {
        RequestPlan(route: RouteTag(0), bodyLimit: $0.first(.path)?.count == 1 ? 3 : 4096)
    }
}

/// What goes out is whole frames of at most 16 KiB.
func demandFrames(_ output: [UInt8]) {
    var rest = output[...]
    while !rest.isEmpty {
        let head = Array(rest.prefix(9))
        demand(head.count == 9, "\(rest.count) bytes behind the last frame")
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        demand(length <= 1 << 24 && rest.count >= 9 + length, "a frame of \(length) bytes in \(rest.count)")
        demand(head[3] <= 9, "a frame of type \(head[3])")
        rest = rest.dropFirst(9 + length)
    }
}

private func describe(_ event: HTTP2Event) -> String {
    switch event {
    case .request(let id, let request):
        "request \(id) \(describe(request.headers)) \(request.body) \(request.bodyIsOverLimit)"
    case .closed(let id, let code): "closed \(id) \(code.rawValue)"
    case .headersTooLarge(let id, let headers): "too large \(id) \(describe(headers))"
    case .settingsAcknowledged: "acknowledged"
    case .goAwayReceived: "goes away"
    }
}
