import HTTPCore
import JSON
import PushCore

@testable import Receivers

private let now = Timestamp(milliseconds: 1_790_000_000_000)
private let session = ClientID(slot: 1, generation: 1)

private func request(_ path: String, _ body: [UInt8], _ fields: [(String, [UInt8])] = []) -> Request {
    var headers = HeaderBlock([.method: "POST", .path: path, .authority: "fcm.googleapis.com"])
    for (name, value) in fields { headers.append(HeaderName(name), value[...]) }
    var request = Request(version: .http2, headers: headers)
    request.body = body
    return request
}

/// A client's bytes over MCS: frames, and damaged ones. The answers are the same, however the bytes are cut. With the
/// first option, the bytes follow a login; with the second one, a push waits for the client.
func fuzzMCS(_ input: [UInt8]) {
    guard let pieces = Pieces(input) else { return }
    Trace.demandSame(pieces) { cut in
        var (book, mcs, trace) = (ReceiverBook(seed: 1), MCSSession(), Trace())
        guard let id = book.checkIn(Checkin([])) else { return trace }
        if pieces.isSet(1) {
            book.restore(Registration(client: id.android, app: "a", subtype: "b", sender: "c"), "t")
            _ = book.add(
                WaitingPush(
                    push: PushID(1), token: "t", encoding: .none, body: [1], lifetime: 60, topic: nil, sent: now))
        }
        var login = ProtoWriter()
        login.text(3, "\(id.android)")
        login.text(5, "\(id.token)")
        var first: [UInt8] = pieces.isSet(0) ? [41, MCSTag.loginRequest.rawValue] : []
        if pieces.isSet(0) {
            ProtoWriter.append(UInt64(login.bytes.count), to: &first)
            first += login.bytes
        }
        do throws(MCSProblem) {
            for piece in [first[...]] + cut {
                mcs.append(Array(piece).span)
                while try mcs.handleNext(&book, session, at: now) {}
            }
        } catch { trace.add("\(error)") }
        _ = mcs.deliver(from: &book, session, at: now)
        var output: [UInt8] = []
        mcs.drain(into: &output, upTo: .max)
        trace.add(data: output[...])
        trace.end()
        return trace
    }
}

/// Messages of a client of Mozilla's service, one in each line, after a hello.
func fuzzAutopush(_ input: [UInt8]) {
    var (book, socket) = (AutopushBook(seed: 1), AutopushSession(base: "https://localhost:1"))
    _ = try? socket.receive(Array(#"{"messageType":"hello","use_webpush":true}"#.utf8), &book, session, at: now)
    demand(socket.client != nil, "a hello without an id")
    for line in input.split(separator: 0x0A) {
        guard let answers = try? socket.receive(Array(line), &book, session, at: now) else { return }
        demand(answers.count <= 1 + PushQueue.most, "\(answers.count) answers")
    }
}

/// Checkins, registrations and web pushes. Lines of the input are header fields; the body comes after them.
func fuzzWebPush(_ input: [UInt8]) {
    let names = ["authorization", "crypto-key", "ttl", "topic", "content-encoding", "encryption"]
    let parts = input.split(separator: 0x0A, maxSplits: names.count, omittingEmptySubsequences: false).map(Array.init)
    guard parts.count == names.count + 1, let body = parts.last else { return }
    var real = RealReceivers(seed: 1, isPoint: { $0.count == 65 })
    _ = real.answer(request("/checkin", body), at: now)
    guard let id = real.google.checkIn(Checkin([])) else { return }
    _ = real.answer(request("/c2dm/register3", body, [("authorization", parts[0])]), at: now)
    let login = Array("AidLogin \(id.android):\(id.token)".utf8)
    _ = real.answer(request("/c2dm/register3", body, [("authorization", login)]), at: now)
    let fields = Array(zip(names, parts))
    guard let client = real.mozilla.connect(nil, session),
        let endpoint = real.mozilla.subscribe("c", of: client, key: nil, base: "")
    else { return }
    let paths = real.google.registrations.keys.map { "/fcm/send/\($0)" } + [endpoint, "/web.push.apple.com/t", "/wp/x"]
    for path in paths { push(request(path, body, fields), &real) }
    demand(!real.takeNews().isEmpty, "no news of a subscription")
}

/// Sends a push to its service, and reads what a simulated browser would decrypt.
private func push(_ request: Request, _ real: inout RealReceivers) {
    guard let push = WebPush(request, PushID(1), at: now) else { return }
    let known = real.endpoint(push.token, push.service)
    let endpoint = push.service == .apple ? .open(key: nil) : known
    do throws(WebPushRefusal) {
        let terms = try push.service.check(push, endpoint) { key, _, _ in key.count == 65 }
        var shown = JSONWriter()
        EncryptedBody(push.request).write(to: &shown)
        if let sealed = try? SealedPush(push, terms.encoding) {
            demand(["aes128gcm", "aesgcm"].contains(terms.encoding.name), "opened in \(terms.encoding.name)")
            var shownAgain = JSONWriter()
            EncryptedBody(push.request.opened(sealed.body)).write(to: &shownAgain)
            demand((try? JSONDocument(parsing: shownAgain.finish())) != nil, "no JSON of an opened push")
        }
        demand((try? JSONDocument(parsing: shown.finish())) != nil, "no JSON of an encrypted body")
        _ = real.add(push, terms)
    } catch { demand((400...413).contains(error.response.status), "status \(error.response.status)") }
}

/// Saved records of receivers: a kind and a key in the first line, and the record's bytes.
func fuzzSavedReceivers(_ input: [UInt8]) {
    let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard parts.count == 2 else { return }
    var real = RealReceivers(seed: 1, isPoint: { _ in true })
    let key = String(decoding: parts[0], as: UTF8.self)
    do throws(RealReceivers.DamagedRecord) { try real.restore([(key, parts[1])]) } catch { return }
    if let bytes = real.bytes(ofRecord: key) {
        var again = RealReceivers(seed: 1, isPoint: { _ in true })
        let isRead = (try? again.restore([(key, bytes)])) != nil
        demand(isRead, "what was saved again can't be read")
    }
    _ = real.takeNews()
}

/// Calls about installations and registrations. Lines of the input are the method, the path and a credential; the body
/// comes after them. The credential is sent as it is, and as an auth token that the book has signed.
func fuzzFirebase(_ input: [UInt8]) {
    let parts = input.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false).map(Array.init)
    guard parts.count == 4 else { return }
    var book = FirebaseBook(seed: 1, isPoint: { $0.count == 65 })
    let body = Array(#"{"fid":"f","appId":"a","web":{"endpoint":"https://e/t"}}"#.utf8)
    _ = book.answer(request("/v1/projects/p/installations", body), at: now) { _ in true }
    guard let installation = book.installations["f"] else { return }
    let text = String(decoding: parts[2], as: UTF8.self)
    let token = "\(text).\(FirebaseBook.signature(of: text, installation))"
    for credential in [parts[2], Array(token.utf8)] {
        var headers = HeaderBlock([
            .path: String(decoding: parts[1], as: UTF8.self), HeaderName("x-goog-api-key"): "any",
        ])
        headers.append(.method, parts[0][...])
        for name in ["authorization", "x-goog-firebase-installations-auth"] {
            headers.append(HeaderName(name), credential[...])
        }
        var call = Request(version: .http2, headers: headers)
        call.body = parts[3]
        let answer = book.answer(call, at: now) { $0 == "t" }
        demand((200...429).contains(answer.status), "status \(answer.status)")
    }
}
