internal import ControlAPI
package import HTTPCore

/// Which requests of browsers are let in. Programs that are not browsers send neither `Origin` nor `Sec-Fetch-Site`,
/// and a page can't remove or change what its browser sends.
extension AccessPolicy {
    /// What the fields of a browser say about a request.
    package enum Admission {
        /// The request is treated like that of any other program.
        case usual
        /// A page of an origin that `--allow-origin` names sent the request. It may read the answer.
        case allowedPage
        /// The browser asks whether such a page may send a request that needs permission (a CORS preflight).
        case preflight
        case refused(BrowserMark)
    }

    /// The fields that decide. A request without them, under a known host name, is admitted as usual.
    static let decisiveFields = HeaderNameSieve([.origin, .fetchSite])

    /// - Parameter isForeignHost: whether the listener is on loopback, and the host is not one of this gateway's.
    package func admission(of headers: HeaderBlock, to service: Service, isForeignHost: Bool) -> Admission {
        if isForeignHost { return .refused(.host(headers.authorityText ?? "")) }
        if let text = headers.text(.origin) {
            guard let origin = WebOrigin(parsing: text) else { return .refused(.origin(text)) }
            if origins.list.contains(origin) {
                let isPreflight = headers.method == .options && headers.first(.requestedMethod) != nil
                return isPreflight ? .preflight : .allowedPage
            }
            // The host must be known, because after DNS rebinding the page and the request name the same host.
            if let authority = headers.authorityText, origin.isServed(by: authority), isOwn(authority) { return .usual }
            return .refused(.origin(text))
        }
        guard let site = headers.text(.fetchSite), site != "same-origin", site != "none",
            !isVisit(headers, to: service)
        else { return .usual }
        return .refused(.site(site))
    }

    /// Whether a person follows a link to a page for people. A frame in another page is not a visit.
    private func isVisit(_ headers: HeaderBlock, to service: Service) -> Bool {
        let isPage = service == .console || service == .control && OpenAPI.isPageForPeople(headers.first(.path) ?? [])
        return isPage && headers.method == .get && headers.text(.fetchMode) == "navigate"
            && headers.text(.fetchDestination) ?? "document" == "document"
    }

    /// Whether the host is one of this gateway's, or a vendor's, for whom the gateway answers.
    package func isOwn(_ authority: String) -> Bool {
        hosts.include(authority) || Router.vendor(Array(authority.utf8).span) != nil
    }
}

extension HeaderBlock {
    package var authorityText: String? { text(.authority) ?? text(.host) }

    fileprivate func text(_ name: HeaderName) -> String? { first(name).map { String(decoding: $0, as: UTF8.self) } }
}

extension HeaderName {
    package static let origin = HeaderName("origin")
    static let fetchSite = HeaderName("sec-fetch-site")
    static let fetchMode = HeaderName("sec-fetch-mode")
    static let fetchDestination = HeaderName("sec-fetch-dest")
}
