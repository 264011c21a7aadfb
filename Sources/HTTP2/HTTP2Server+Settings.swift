internal import CNghttp2
import HTTPCore

/// Advertising stream limits and windows, and writing the real limit over nghttp2's.
extension HTTP2Server {
    /// Sends a SETTINGS frame with all five values of `settings`, except that the stream limit is `limit`. The limit
    /// applies once the peer acknowledges it. If too many earlier frames are not acknowledged, the newest limit is sent
    /// later.
    package func advertise(maxConcurrentStreams limit: UInt32, window: UInt32? = nil) {
        deferredLimit = nil
        if let window { settings.initialWindowSize = window }
        guard state.unacknowledged.count < Self.maximumUnacknowledged else {
            deferredLimit = limit
            return
        }
        func entry(_ id: nghttp2_settings_id, _ value: UInt32) -> nghttp2_settings_entry {
            nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: value)
        }
        let entries = [
            entry(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableSize),
            entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.nghttp2StreamLimit),
            entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize),
            entry(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize),
        ]
        let code = unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        precondition(code == 0, "SETTINGS refused by nghttp2: \(code)")
        unsentLimits.append(limit)
        state.unacknowledged.append(limit)
    }

    /// Call this for each `.settingsAcknowledged` event.
    package func settingsWereAcknowledged() {
        if let deferredLimit { advertise(maxConcurrentStreams: deferredLimit) }
    }

    /// Replaces nghttp2's stream limit in a SETTINGS frame with the real one.
    func writeLimit(over output: inout [UInt8], at frame: Int) {
        guard !unsentLimits.isEmpty else { return }
        let limit = unsentLimits.removeFirst()
        var entry = frame + 9
        while entry + 6 <= output.count {
            if output[entry] == 0, output[entry + 1] == UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue) {
                for byte in 0..<4 {
                    output[entry + 2 + byte] = UInt8(truncatingIfNeeded: limit >> UInt32(24 - 8 * byte))
                }
            }
            entry += 6
        }
    }
}
