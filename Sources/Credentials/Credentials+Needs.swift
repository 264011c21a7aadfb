extension Credentials {
    /// What a gateway needs of its credentials.
    package struct Needs: Sendable {
        /// Host names and addresses of the gateway that the server certificate must have, in lower case. The first one is
        /// the host in the service account's `token_uri`; without any, that is `localhost`.
        package var names: [String] = []
        /// The topic that the client certificate must cover; nil for the one that the directory has.
        package var topic: String?
        /// Whether every user of this machine may read the files that senders need.
        package var areShared = false
        /// Whether the gateway's port is written into the service account. If not, an existing account stays as it is.
        package var writesPortIntoServiceAccount = true
        /// The port for the service account's `token_uri`; nil without a gateway.
        package private(set) var port: UInt16?

        package init() {}

        /// The URL of the gateway on a port.
        func url(_ port: UInt16) -> String {
            let host = names.first ?? "localhost"
            return "https://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }

        package func listening(on port: UInt16) -> Needs {
            var needs = self
            if writesPortIntoServiceAccount { needs.port = port }
            return needs
        }
    }
}
