internal import Credentials

/// The options about credentials that `serve`, `init` and `exec` share.
enum CredentialOptions {
    static func needs(_ options: Options) throws(ExitFailure) -> Credentials.Needs {
        var needs = Credentials.Needs()
        needs.names = try hostNames("server-name", options).map { $0.filter { $0 != "[" && $0 != "]" } }
        needs.topic = try topic(options)
        needs.areShared = try options.choice("share-credentials", Switch.self) == .on
        return needs
    }

    /// The app that the client certificate is made for; nil if the option is not set.
    static func topic(_ options: Options) throws(ExitFailure) -> String? {
        guard let topic = try options.text("apns-topic") else { return nil }
        let isBundle = topic.utf8.allSatisfy { Send.isProjectCharacter($0) && $0 != UInt8(ascii: ":") }
        guard isBundle, 1...255 ~= topic.utf8.count else {
            throw options.invalid("apns-topic", topic, "must be a bundle id, like com.example.app")
        }
        return topic
    }

    /// The values of an option that takes host names and addresses, in lower case. An IPv6 address has brackets.
    static func hostNames(_ option: String, _ options: Options) throws(ExitFailure) -> [String] {
        let names = options.list(option).map { $0.lowercased() }
        for name in names {
            let inner = name.hasPrefix("[") && name.hasSuffix("]") ? name.dropFirst().dropLast() : name[...]
            let isAddress = inner.count < name.count
            let isHost = inner.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || "-._".utf8.contains($0)
                    || isAddress && $0 == UInt8(ascii: ":")
            }
            guard isHost, !inner.isEmpty else {
                throw options.invalid(
                    option, name, "must be a host name without scheme, port and path, like gateway.example.com")
            }
        }
        return names
    }
}
