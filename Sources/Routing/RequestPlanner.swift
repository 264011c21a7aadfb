package import HTTPCore
internal import PushCore

/// Plans the requests of one connection: which service answers, and how long the body may be. A request that a web page
/// may not send goes to the service `forbiddenPage`, so that its body is neither read nor recorded.
package final class RequestPlanner {
    private let policy: AccessPolicy
    private let role: Role
    /// Whether the listener is on loopback. Elsewhere, senders may use any name for the gateway.
    private let checksHost: Bool
    /// Whether a request target may be a whole URL, as a proxy's clients send over HTTP/1.1.
    private let readsURLs: Bool
    /// Finds the few requests with fields of a browser.
    private let sieve = AccessPolicy.decisiveFields
    /// The vendor of the last authority that was let in. A check of exclusive access would cost 1 % of a push, and
    /// nothing that `plan` calls can reach this property.
    @exclusivity(unchecked) private var known = Memo<[UInt8], Vendor?>(nil, for: [])

    package init(_ policy: AccessPolicy, role: Role, isLoopback: Bool, readsURLs: Bool = false) {
        self.readsURLs = readsURLs
        self.policy = policy
        self.role = role
        checksHost = isLoopback
    }

    package func plan(_ headers: HeaderBlock) -> RequestPlan {
        let path = headers.range(of: .path)
        // The host of a CONNECT is not this gateway's, so it is not checked here. No web page can send CONNECT.
        if path == nil, headers.method == .connect { return RequestPlan(.proxy, bodyLimit: 0) }
        if readsURLs, let authority = headers.first(.authority),
            isRefusedByProxy(String(decoding: authority, as: UTF8.self), headers)
        {
            return RequestPlan(.proxy, bodyLimit: 0)
        }
        let isForeignHost = !learnAuthority(of: headers)
        let service = Router.service(for: headers, path, of: isForeignHost ? nil : unsafe known.value, on: role)
        if isForeignHost || sieve.mayFind(in: headers) {
            switch policy.admission(of: headers, to: service, isForeignHost: isForeignHost) {
            case .usual: break
            case .allowedPage: return plan(headers, path, service, isForAllowedPage: true)
            case .preflight: return RequestPlan(.preflight, bodyLimit: 0, isForAllowedPage: true)
            case .refused: return RequestPlan(.forbiddenPage, bodyLimit: 0)
            }
        }
        return plan(headers, path, service, isForAllowedPage: false)
    }

    /// Whether the proxy has to refuse a request for a URL: its host is neither a push host nor this gateway, or it
    /// lacks the proxy's token.
    private func isRefusedByProxy(_ authority: String, _ headers: HeaderBlock) -> Bool {
        if Router.vendor(Array(authority.utf8).span) != nil { return policy.proxyRefusal(of: headers) != nil }
        return !policy.hosts.include(authority)
    }

    private func plan(
        _ headers: HeaderBlock, _ path: Range<Int>?, _ service: Service, isForAllowedPage: Bool
    ) -> RequestPlan {
        let limit = Router.bodyLimit(of: service, headers, path, policy)
        return RequestPlan(service, bodyLimit: limit, isForAllowedPage: isForAllowedPage)
    }

    /// Remembers the request's authority. If `checksHost` is set, returns false for a host that is not this gateway's.
    /// Always returns false for a vendor's host that is not imitated.
    private func learnAuthority(of headers: HeaderBlock) -> Bool {
        let range = headers.range(of: .authority) ?? headers.range(of: .host) ?? 0..<0
        let authority = headers.storage.span.extracting(range)
        if unsafe known.has(authority) { return true }
        let vendor = Router.vendor(authority)
        if vendor == nil, !range.isEmpty {
            if BrowserMark.isOfVendor(authority.text) { return false }
            if checksHost, !policy.hosts.include(authority.text) { return false }
        }
        unsafe known.remember(vendor, for: authority)
        return true
    }
}
