/// The names of RFC 9113 §7, in the order of their numbers.
extension HTTP2ErrorCode {
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The code with a name such as `REFUSED_STREAM`; nil if there is no such code.
    package init?(name: String) {
        guard let number = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt32(number))
    }
}
