internal import HTTPCore
internal import Proxy
internal import PushCore

/// A sign that a web page which may not use the gateway has caused a request.
package enum BrowserMark: Equatable {
    /// The request is for a host that is not this gateway's, as after DNS rebinding.
    case host(String)
    /// The page's origin is neither this gateway nor allowed.
    case origin(String)
    /// The page belongs to another origin and does not name it. The text is the value of `sec-fetch-site`.
    case site(String)

    /// What was found, and which option would let the request in.
    var sentence: String {
        switch self {
        case .host(let authority):
            if Self.isOfVendor(authority) { return VendorHost.Problem.notImitated(authority).sentence }
            let name = HostAndPort(parsing: authority)?.host ?? ""
            return "The host \(authority.quoted) is neither loopback nor allowed. To let it in, use --allow-host "
                + (Self.isShort(name) ? "\(name)" : "NAME") + ", or --server-name if clients connect over TLS."
        case .origin(let text):
            guard let origin = WebOrigin(parsing: text) else {
                return
                    "The web origin \(text.quoted) cannot be allowed. Serve the page from a web server, and allow "
                    + "its address, like --allow-origin http://localhost:3000."
            }
            return
                "Web pages of the origin \(text.quoted) may not use this gateway. To let them in, use --allow-origin "
                + (Self.isShort(origin.description) ? "\(origin)." : "ORIGIN.")
        case .site(let value):
            return "A web page of another origin has caused this request (sec-fetch-site is \(value.quoted)), and the "
                + "browser does not say which. To let the page in, use --allow-origin ORIGIN, and let it send the "
                + "request with CORS, as fetch() and elements with the attribute crossorigin do."
        }
    }

    /// Whether the host belongs to a vendor. Callers have already excluded the hosts that the gateway imitates.
    static func isOfVendor(_ authority: String) -> Bool {
        guard var host = HostAndPort(parsing: authority)?.host.lowercased() else { return false }
        while host.hasSuffix(".") { host.removeLast() }
        return Vendor.owns(host)
    }

    /// Whether a sentence can contain this value of an option in full.
    private static func isShort(_ value: String) -> Bool { 1...100 ~= value.utf8.count }
}
