package import JSON

/// The text of a service account's file.
package enum ServiceAccountFile {
    /// A copy that gets its access tokens at another address.
    package static func text(_ account: JSONView, tokenURI: String) -> [UInt8] {
        var json = JSONWriter(.pretty)
        json.object { json in
            for (key, value) in account.members {
                guard let key = key.string else { continue }
                if key == "token_uri" { json.member(key, tokenURI) } else { json.member(key, value) }
            }
        }
        return json.finish() + [0x0A]
    }
}
