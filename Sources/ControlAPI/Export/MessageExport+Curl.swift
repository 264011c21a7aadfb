internal import FCM
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// Exports a push as a curl command.
extension MessageExport {
    /// A curl command for a shell. It uses the bearer token in `$TOKEN`, or makes one.
    func curl() throws(ControlProblem) -> String {
        let body = message.request.body
        let text = String(decoding: body, as: UTF8.self)
        guard text.utf8.elementsEqual(body), !body.contains(0) else {
            throw conflict(
                "The body of \(message.record.id) is not text that a shell command can contain. Use /raw instead.")
        }
        var lines = ["curl -sS --http2 --cacert \(ShellText.quoted(host.facts.credentials + "/ca.pem"))"]
        let headers = message.shownHeaders
        if isAPNs, !isSigned {
            lines.append("--cert \(ShellText.quoted(host.facts.credentials + "/apns-client.pem"))")
        }
        lines.append("-X \(message.request.method.rawValue)")
        for (name, value) in headers where name != "content-length" && name != "host" {
            lines.append(
                name == "authorization"
                    ? #"-H "authorization: bearer $TOKEN""#
                    : "-H \(ShellText.quoted(value.isEmpty ? "\(name);" : "\(name): \(value)"))")
        }
        if isAPNs, isSigned, !headers.contains(where: { $0.name == "authorization" }) {
            lines.append(#"-H "authorization: bearer $TOKEN""#)
        }
        // Without this line, curl would send the content type of a form.
        if !headers.contains(where: { $0.name == "content-type" }) { lines.append("-H 'content-type:'") }
        if !body.isEmpty { lines.append("--data-raw \(ShellText.quoted(text))") }
        let marker = "\u{1}"
        let address = ShellText.quoted("https://localhost:\(host.facts.port)\(message.target { _ in marker })")
        lines.append(
            address.pieces(separatedBy: marker).joined(separator: #"'"$TOKEN"'"#))
        let command = lines.joined(separator: " \\\n  ") + "\n"
        return (command.includes("$TOKEN") ? [token, command] : [command]).joined()
    }

    /// Sets `$TOKEN` if it is not set.
    private var token: String {
        let facts = host.facts
        guard isAPNs else {
            return host.box.engine.dialects.fcm.policy.requiresKnownBearers
                ? "# This gateway accepts only the access tokens that /token has issued (--auth strict): set TOKEN to one.\n"
                : "# Any access token is good enough, unless the gateway runs with --auth strict.\n: \"${TOKEN:=any}\"\n"
        }
        guard !facts.keyID.isEmpty else { return "" }
        let key = ShellText.quoted("\(facts.credentials)/AuthKey_\(facts.keyID).p8")
        return #"""
            # Signs with the gateway's own key, unless TOKEN is set.
            base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
            claims=$(printf '{"alg":"ES256","kid":"\#(facts.keyID)"}' | base64url).$(printf '{"iss":"\#(facts.teamID)","iat":%d}' "$(date +%s)" | base64url)
            : "${TOKEN:=$claims.$(printf %s "$claims" | openssl dgst -sha256 -sign \#(key) | base64url)}"

            """#
    }
}
