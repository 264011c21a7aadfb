extension WebSocketChannel {
    enum Kind {
        /// A device client is connected.
        case device
        /// Messages are sent back, for tests of the protocol.
        case echo
        /// A client of Mozilla's push service, which gets endpoints that begin with this base.
        case autopush(base: String)

        /// The longest message, in bytes, and the most bytes of output that may wait for a peer that does not read.
        var messageLimit: Int {
            switch self {
            case .echo: 32 << 20
            case .autopush: 64 << 10
            default: 1 << 20
            }
        }
        var outputLimit: Int { if case .echo = self { 64 << 20 } else { Connection.outputLimit } }
    }
}
