extension TestGateway {
    /// How a test's gateway runs.
    public enum Kind: String, Sendable, CaseIterable {
        /// Without sockets, inside the test's thread.
        case embedded
        /// On loopback sockets, with TLS and a separate thread.
        case live
    }

    /// Runs a test body with a gateway of that kind, and shuts the gateway down afterwards.
    ///
    ///     @Test(arguments: TestGateway.Kind.allCases) func `a push arrives`(kind: TestGateway.Kind) throws {
    ///         try TestGateway.run(kind) { gateway in … }
    ///     }
    ///
    /// - Parameter certificates: the directory for a live gateway's keys and certificates.
    public static func run(
        _ kind: Kind = .embedded, _ configuration: TestConfiguration = TestConfiguration(),
        certificates: String = ".build/test-certs", _ body: (TestGateway) throws -> Void
    ) throws {
        let gateway =
            switch kind {
            case .embedded: TestGateway(configuration)
            case .live: try TestGateway.live(configuration, certificates: certificates)
            }
        defer { gateway.shutDown() }
        try body(gateway)
    }
}
