internal import HTTPCore
internal import JSON
internal import PushCore

/// What is wrong with a provider token that can't be read. Runs only for refused tokens.
extension ProviderToken {
    /// The first mistake, for the log. It shows no part of the token but the values that are wrong.
    static func mistake(in text: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: text.count) { $0.append(text) }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return "the token is not a JWT: it has \(parts.count == 1 ? "1 part" : "\(parts.count) parts") instead of "
                + "three, with dots between them"
        }
        guard let head = object(parts[0]) else { return notJSON("first", "header") }
        guard let claims = object(parts[1]) else { return notJSON("second", "claims") }
        if Base64URL.decode(parts[2])?.isEmpty ?? true {
            return "the token is not a JWT: its third part, the signature, is empty or not base64url"
        }
        if let algorithm = head["alg"], !algorithm.equals("ES256") {
            return "the token's alg is \(algorithm.shown), but Apple accepts only ES256"
        }
        return idMistake("kid", head, in: "header") ?? idMistake("iss", claims, in: "claims")
            ?? claims["iat"].map { "the token's iat is \($0.shown), not a number of seconds since 1970" }
            ?? "the token has no iat, the time at which it was signed, in its claims"
    }

    private static func notJSON(_ place: String, _ name: String) -> String {
        "the token is not a JWT: its \(place) part, the \(name), is not a JSON object in base64url"
    }

    /// Nil if the object has a key or team id with this name.
    private static func idMistake(_ name: String, _ object: JSONView, in part: String) -> String? {
        let meaning = name == "kid" ? "the id of the key" : "the id of the team"
        guard let value = object[name], !value.isNull else {
            return "the token has no \(name), \(meaning), in its \(part)"
        }
        if let id = value.string, isID(id) { return nil }
        return "the token's \(name) is \(value.shown), but \(meaning) has ten letters and digits"
    }
}
