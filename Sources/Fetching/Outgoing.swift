package import EventLoop
package import Platform

/// Writes a line about requests to other programs to the gateway's log.
package typealias OutgoingNote = (Log.Level, String, KeyValuePairs<String, (any LogValue)?>) -> Void

/// What the gateway may send to other programs.
package struct OutgoingSettings: Sendable {
    package enum FetchMedia: String, Sendable, CaseIterable { case off, loopback, on }

    /// From which machines phones fetch files that are not in the media table.
    package var fetchMedia = FetchMedia.loopback
    /// The URL before `/r/?id=…` of tracking reports; nil if they are not sent.
    package var postback: String?
    /// The URL to which events are posted; nil if they are not.
    package var webhook: String?

    package init() {}
}

/// Everything that a gateway sends to other programs by itself.
package final class Outgoing {
    /// Nil if nothing is fetched.
    package let fetcher: Fetcher?
    /// Fetches whole files for calls of the control API, by people who look at a push; nil if nothing is fetched.
    package let apiFetcher: Fetcher?
    package let postbacks: Postbacks?
    package let webhook: Webhook?
    private let client: HTTPClient

    /// Loads libcurl. Returns what is wrong and what to install; nil if it can be used. Without this call, it is loaded
    /// when something is to be sent.
    package static func libraryProblem() -> String? { CurlLibrary.problem() }

    /// - Parameters:
    ///   - ownPorts: the ports of the gateway's listeners. Nothing is sent to them.
    ///   - authorityFile: the path of a PEM file with an authority to trust besides the system's.
    package init(
        _ settings: OutgoingSettings, on loop: EventLoop, ownPorts: Set<UInt16>, authorityFile: String,
        note: @escaping OutgoingNote
    ) throws(LoopError) {
        let everywhere = AddressPolicy(reach: .everywhere, ownPorts: ownPorts)
        let client = try HTTPClient(on: loop, authorityFile: authorityFile)
        self.client = client
        let reach: AddressPolicy.Reach? =
            switch settings.fetchMedia {
            case .off: nil
            case .loopback: .thisMachine
            case .on: .otherMachines
            }
        let policy = reach.map { AddressPolicy(reach: $0, ownPorts: ownPorts) }
        fetcher = policy.map { Fetcher(client, on: loop, $0, note: note) }
        apiFetcher = policy.map { Fetcher(client, on: loop, $0, .viewers, note: note) }
        postbacks =
            if let url = settings.postback {
                Postbacks(to: url, try Dispatcher(client, on: loop, Postbacks.rule, everywhere), note: note)
            } else { nil }
        webhook =
            if let url = settings.webhook {
                Webhook(to: url, try Dispatcher(client, on: loop, Webhook.rule, everywhere), note: note)
            } else { nil }
    }

    /// Whether all reports and events have been sent. Fetches do not count, because their phones end with the gateway.
    package var isIdle: Bool { postbacks?.isIdle ?? true && webhook?.isReady ?? true }

    package func close() {
        fetcher?.close()
        apiFetcher?.close()
        postbacks?.close()
        webhook?.close()
        client.close()
    }
}

@available(*, unavailable) extension Outgoing: Sendable {}
