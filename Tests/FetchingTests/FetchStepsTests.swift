import Devices
import Testing

@testable import Fetching

/// Redirects, and what the phone gets in the end.
@Suite struct FetchStepsTests {
    private static func request(_ url: String, allowsHTTP: Bool = false, changesScheme: Bool = true) -> FetchRequest {
        var request = FetchRequest(url: url, patience: 1000)
        (request.allowsHTTP, request.changesScheme) = (allowsHTTP, changesScheme)
        return request
    }

    private static func text(_ result: FetchResult) -> String {
        switch result {
        case .received(let media):
            "\(media.status) \(media.contentType) \(media.size) \(media.format.map { "\($0)" } ?? "-")"
        case .skipped(let reason): "skipped: \(reason ?? "")"
        case .failed(let reason): "failed: \(reason)"
        case .timedOut: "timed out"
        case .inClearText: "in clear text"
        }
    }

    private static func text(_ step: FetchSteps.Step) -> String {
        switch step {
        case .ask(let url): "ask \(url)"
        case .end(let result): text(result)
        }
    }

    struct Redirect: CustomTestStringConvertible {
        var from = "https://a.test/1.png"
        let to: String
        var allowsHTTP = false
        var isAndroid = false
        var result: String?

        var testDescription: String { "\(from) \(to) \(allowsHTTP) \(isAndroid)" }
    }

    static let redirects = [
        Redirect(to: "https://b.test/2.png"), Redirect(to: "https://b.test/2.png", isAndroid: true),
        Redirect(from: "http://localhost/1.png", to: "https://b.test/2.png"),
        Redirect(to: "http://b.test/2.png", result: "in clear text"),
        Redirect(to: "http://b.test/2.png", allowsHTTP: true), Redirect(to: "http://127.0.0.1/2.png"),
        // The phone gets the page of the redirect.
        Redirect(to: "http://127.0.0.1/2.png", isAndroid: true, result: "302 text/html 3 unknown"),
        Redirect(from: "http://localhost/", to: "https://b.test/", isAndroid: true, result: "302 text/html 3 unknown"),
        Redirect(
            to: "file:///etc/passwd",
            result: "failed: it redirects to 'file:///etc/passwd', which is not a usable http or https URL"),
        Redirect(
            to: "ftp://b.test/",
            result: "failed: it redirects to 'ftp://b.test/', which is not a usable http or https URL"
        ),
        Redirect(
            to: "https://b.test:0/",
            result: "failed: it redirects to 'https://b.test:0/', which is not a usable http or https URL"),
    ]

    @Test(arguments: redirects) func `a redirect is followed if the phone would follow it`(row: Redirect) {
        var steps = FetchSteps(
            Self.request(row.from, allowsHTTP: row.allowsHTTP, changesScheme: !row.isAndroid))
        let answer = HTTPAnswer(
            status: 302, contentType: "text/html", size: 3, head: Array("<a>".utf8), redirect: row.to)
        #expect(Self.text(steps.answered(answer)) == row.result ?? "ask \(row.to)")
    }

    @Test func `there are at most twenty redirects`() {
        var steps = FetchSteps(Self.request("https://a.test/0"))
        for number in 1...20 {
            let step = steps.answered(HTTPAnswer(status: 302, redirect: "https://a.test/\(number)"))
            #expect(Self.text(step) == "ask https://a.test/\(number)")
        }
        let last = steps.answered(HTTPAnswer(status: 302, redirect: "https://a.test/21"))
        #expect(Self.text(last) == "failed: there are more than 20 redirects")
    }

    @Test func `a redirect to a long URL ends the fetch`() {
        let long = "https://a.test/" + String(repeating: "x", count: FetchSteps.longestURL - 14)
        var steps = FetchSteps(Self.request("https://a.test/0"))
        #expect(Self.text(steps.answered(HTTPAnswer(status: 302, redirect: long))).hasPrefix("failed: it redirects to"))
        let allowed = String(long.dropLast())
        #expect(Self.text(steps.answered(HTTPAnswer(status: 302, redirect: allowed))) == "ask \(allowed)")
    }

    @Test func `the phone gets the status, the type, the size and the format`() {
        var steps = FetchSteps(Self.request("https://a.test/1.png"))
        let head: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
        let step = steps.answered(HTTPAnswer(status: 203, contentType: "image/png", size: 77, head: head))
        #expect(Self.text(step) == "203 image/png 77 png")
    }

    @Test(
        arguments: [
            (.refused(.otherMachine), "skipped: a.test is not this machine, and --fetch-media is 'loopback'", nil),
            (.refused(.thisGateway), "skipped: a.test is this gateway, which sends nothing to itself", nil),
            (
                .unknownHost("has no address"), "skipped: a.test is not this machine, and --fetch-media is 'loopback'",
                "failed: 'https://a.test/1.png' has no address"
            ),
            (.unreachable, "failed: cannot connect to a.test:443", nil), (.late, "timed out", nil),
            (.broken("broken"), "failed: broken", nil), (.noLibrary("install it"), "skipped: install it", nil),
            (.namesUser, "skipped: the URL contains a user name, and no credentials are sent", nil),
            (.unusableURL, "failed: 'https://a.test/1.png' is not a usable http or https URL", nil),
        ] as [(HTTPFailure, String, String?)])
    func `the phone gets the reason if there is no answer`(failure: HTTPFailure, local: String, remote: String?) {
        let steps = FetchSteps(Self.request("https://a.test/1.png"))
        #expect(Self.text(steps.failed(failure, reach: .thisMachine)) == local)
        #expect(Self.text(steps.failed(failure, reach: .otherMachines)) == remote ?? local)
    }
}
