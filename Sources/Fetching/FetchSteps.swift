internal import Devices
internal import PushCore

/// One fetch of a file: its redirects, and what the phone gets in the end. It sends nothing itself.
struct FetchSteps {
    enum Step {
        case ask(url: String)
        case end(FetchResult)
    }

    private let request: FetchRequest
    private var url: String
    private var redirects = 0

    /// The longest URL, in bytes. It is also the longest in the media table.
    static let longestURL = 2048
    static let maxRedirects = 20

    init(_ request: FetchRequest) {
        self.request = request
        url = request.url
    }

    mutating func answered(_ answer: HTTPAnswer) -> Step {
        guard let next = answer.redirect, let from = MediaURL.endpoint(of: url) else { return .end(file(answer)) }
        guard next.utf8.count <= Self.longestURL, let to = MediaURL.endpoint(of: next) else {
            return .end(.failed("it redirects to '\(next.prefix(100))', which is not a usable http or https URL"))
        }
        if to.isSecure != from.isSecure, !request.changesScheme { return .end(file(answer)) }
        if MediaURL.needsException(next), !request.allowsHTTP { return .end(.inClearText) }
        redirects += 1
        guard redirects <= Self.maxRedirects else {
            return .end(.failed("there are more than \(Self.maxRedirects) redirects"))
        }
        url = next
        return .ask(url: next)
    }

    private func file(_ answer: HTTPAnswer) -> FetchResult {
        var media = Media(status: answer.status, contentType: answer.contentType, size: answer.size)
        media.format = MediaFormat(of: answer.head)
        media.announcesSize = answer.announcesSize
        if request.keepsContent { media.content = answer.body }
        return .received(media)
    }

    func failed(_ failure: HTTPFailure, reach: AddressPolicy.Reach) -> FetchResult {
        let endpoint = MediaURL.endpoint(of: url)
        let shown = String((endpoint?.host ?? url).prefix(100))
        switch failure {
        case .refused(let refusal): return .skipped("\(shown) \(refusal.reason)")
        case .unknownHost(let reason):
            // A name that cannot be looked up here is not a name of this machine.
            if case .thisMachine = reach { return .skipped("\(shown) \(AddressPolicy.Refusal.otherMachine.reason)") }
            return .failed("'\(url.prefix(100))' \(reason)")
        case .noLibrary(let problem): return .skipped(problem)
        case .namesUser: return .skipped("the URL contains a user name, and no credentials are sent")
        case .late: return .timedOut
        case .unusableURL: return .failed("'\(url.prefix(100))' is not a usable http or https URL")
        case .unreachable: return .failed("cannot connect to \(shown):\(endpoint?.port ?? 0)")
        case .broken(let problem): return .failed(problem)
        }
    }
}
