import Devices
import Testing

@testable import Fetching

/// Files that are fetched for phones, and events and reports that are sent, over real sockets.
@Suite struct FetcherTests {
    @Test func `a few files at a time are fetched, and each comes back once`() throws {
        let setting = try Setting()
        let fetcher = try #require(setting.outgoing.fetcher)
        var most = 0
        var sizes: [Int: Int] = [:]
        setting.server.reply = { [unowned server = setting.server] _ in
            most = max(most, server.requests.count - sizes.count)
            return WebServer.page([1, 2, 3])
        }
        for number in 0..<200 {
            fetcher.fetch(FetchRequest(url: setting.url("\(number)"), patience: 20_000)) { result in
                if case .received(let media) = result { sizes[number, default: 0] += media.size }
            }
        }
        try setting.server.run { sizes.count == 200 }
        #expect(sizes.values.allSatisfy { $0 == 3 })
        #expect(setting.server.requests.count == 200)
        #expect(most <= Fetcher.Limits.phones.running)
        setting.close()
    }

    @Test func `redirects share the time of the first request`() throws {
        let setting = try Setting()
        setting.server.reply = { text in
            text.contains("/1 ")
                ? WebServer.page([], status: "302 Found", type: nil, fields: ["Location: /2"]) : .nothing
        }
        var result: FetchResult?
        setting.outgoing.fetcher?.fetch(FetchRequest(url: setting.url("1"), patience: 300)) { result = $0 }
        try setting.server.run { result != nil }
        guard case .timedOut = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(setting.server.requests.count == 2)
        setting.close()
    }

    @Test func `a redirect to a URL in the media table is not followed`() throws {
        let setting = try Setting()
        let wanted = setting.url("known.png")
        setting.outgoing.fetcher?.table = { $0 == wanted ? Media(contentType: "image/png", size: 7) : nil }
        setting.server.reply = { _ in
            WebServer.page([], status: "302 Found", type: nil, fields: ["Location: \(wanted)"])
        }
        var result: FetchResult?
        setting.outgoing.fetcher?.fetch(FetchRequest(url: setting.url("1"), patience: 20_000)) { result = $0 }
        try setting.server.run { result != nil }
        guard case .received(let media) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(media.size == 7)
        setting.close()
    }

    @Test func `a apiFetcher gets the whole file, and few can wait`() throws {
        let setting = try Setting()
        let apiFetcher = try #require(setting.outgoing.apiFetcher)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        setting.server.reply = { _ in WebServer.page(bytes) }
        var (whole, skipped) = (0, [String]())
        for number in 0..<40 {
            var request = FetchRequest(url: setting.url("\(number)"), patience: 20_000)
            request.keepsContent = true
            apiFetcher.fetch(request) { result in
                switch result {
                case .received(let media): whole += media.content == bytes ? 1 : 0
                case .skipped(let reason): skipped.append(reason ?? "")
                case .failed, .timedOut, .inClearText: Issue.record("\(result)")
                }
            }
        }
        #expect(skipped == Array(repeating: "32 other files are waiting to be fetched", count: 4))
        try setting.server.run { whole == 36 }
        // Phones get only the first bytes.
        var kept: [UInt8]? = []
        setting.outgoing.fetcher?.fetch(FetchRequest(url: setting.url("phone"), patience: 20_000)) { result in
            if case .received(let media) = result { kept = media.content }
        }
        try setting.server.run { kept == nil }
        setting.close()
    }

    @Test func `more files than fit are skipped, and so are long URLs`() throws {
        let setting = try Setting()
        let fetcher = try #require(setting.outgoing.fetcher)
        var skipped: [String] = []
        for number in 0..<(Fetcher.Limits.phones.running + Fetcher.Limits.phones.waiting + 2) {
            fetcher.fetch(FetchRequest(url: setting.url("\(number)"), patience: 20_000)) { result in
                if case .skipped(let reason?) = result { skipped.append(reason) }
            }
        }
        #expect(skipped == Array(repeating: "10000 other files are waiting to be fetched", count: 2))
        let long = setting.url(String(repeating: "x", count: 2048))
        fetcher.fetch(FetchRequest(url: long, patience: 1)) { result in
            if case .skipped(let reason?) = result { skipped.append(reason) }
        }
        #expect(skipped.last == "the URL has more than 2048 bytes")
        // The library has to be loaded before the loop can end.
        try setting.server.run { setting.server.requests.count == Fetcher.Limits.phones.running }
        setting.close()
    }

    @Test func `events arrive in order, one request at a time, again after a failure`() throws {
        let setting = try Setting { $0.webhook = "http://127.0.0.1:\($1)/hook" }
        let webhook = try #require(setting.outgoing.webhook)
        var statuses = ["503 Busy", "200 OK", "400 No", "200 OK"]
        setting.server.reply = { _ in WebServer.page([], status: statuses.removeFirst(), type: nil) }
        var rest = (1...3).map { Array("{\"seq\":\($0)}\n".utf8) }
        webhook.becameReady = { if !rest.isEmpty { webhook.post(rest.removeFirst()) } }
        webhook.becameReady()
        #expect(!webhook.isReady && !setting.outgoing.isIdle)
        try setting.server.run { webhook.isReady }
        let bodies = setting.server.requests.map { $0.split(separator: "\r\n").last.map(String.init) }
        let expected = [1, 1, 2, 3].map { "{\"events\":[{\"seq\":\($0)}]}" }
        #expect(bodies == expected)
        #expect(webhook.delivered == 2 && webhook.dropped == 1)
        #expect(
            setting.notes == [
                "warning cannot post events because=the answer has the status 503 events=1",
                "warning events dropped because=the answer has the status 400 events=1 droppedSoFar=1",
            ])
        setting.close()
    }

    @Test func `reports arrive in order, and only 200 counts`() throws {
        let setting = try Setting { $0.postback = "http://127.0.0.1:\($1)/c" }
        let postbacks = try #require(setting.outgoing.postbacks)
        setting.server.reply = { text in
            WebServer.page([], status: text.contains(",2&") ? "204 None" : "200 OK", type: nil)
        }
        for action in ["7", "2", "1"] {
            postbacks.send(TrackingHit(push: nil, action: action, broadlog: "h1", delivery: "2", ecid: "e"))
        }
        try setting.server.run { setting.outgoing.isIdle }
        #expect(
            setting.server.requests.map { $0.prefix { $0 != "\r\n" } }
                == ["7", "2", "1"].map {
                    "GET /c/r/?id=h1,2,\($0)&mcId=e HTTP/1.1"
                })
        #expect(setting.server.requests.allSatisfy { $0.contains("Content-Type: application/json\r\n") })
        #expect(postbacks.delivered == 2 && postbacks.dropped == 1)
        #expect(
            setting.notes == ["warning tracking reports dropped because=the answer has the status 204 droppedSoFar=1"])
        setting.close()
    }

    @Test func `reports wait for a busy collector, up to a limit`() throws {
        let setting = try Setting { $0.postback = "http://127.0.0.1:\($1)" }
        let postbacks = try #require(setting.outgoing.postbacks)
        setting.server.reply = { _ in WebServer.page([], status: "503 Busy", type: nil) }
        let hit = TrackingHit(push: nil, action: "7", broadlog: "h1", delivery: "2", ecid: "e")
        for _ in 0..<(Postbacks.maxWaiting + 3) { postbacks.send(hit) }
        // One is on its way.
        #expect(postbacks.dropped == 2)
        try setting.server.run { setting.notes.count == 2 }
        #expect(
            setting.notes.last
                == "warning cannot send tracking reports because=the answer has the status 503 droppedSoFar=2")
        #expect(setting.server.requests.count == 1 && !setting.outgoing.isIdle)
        setting.close()
    }

    @Test func `nothing is fetched with off`() throws {
        let setting = try Setting { settings, _ in settings.fetchMedia = .off }
        #expect(setting.outgoing.fetcher == nil && setting.outgoing.postbacks == nil && setting.outgoing.webhook == nil)
        setting.close()
    }
}
