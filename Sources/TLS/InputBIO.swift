internal import COpenSSL

/// The encrypted bytes that a session reads: bytes borrowed for one call, and unread bytes from earlier calls.
///
/// OpenSSL's memory BIO would copy every byte once more, into memory that it clears first.
@safe struct InputSource {
    /// Valid only until `keepRest`.
    private var lent: UnsafeBufferPointer<UInt8> = unsafe UnsafeBufferPointer(start: nil, count: 0)
    private var leftOver: [UInt8] = []

    /// Makes `bytes` readable without copying them. Call `keepRest` before they become invalid.
    mutating func lend(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe lent = unsafe bytes }

    /// Copies the lent bytes that were not read. After that, the lent memory is no longer used.
    mutating func keepRest() {
        unsafe leftOver.append(contentsOf: lent)
        unsafe lent = UnsafeBufferPointer(start: nil, count: 0)
    }

    /// Moves the oldest bytes into `buffer` and returns their number; 0 if there are none.
    mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count: Int
        if leftOver.isEmpty {
            count = unsafe min(lent.count, buffer.count)
            _ = unsafe buffer.update(fromContentsOf: lent[..<count])
            unsafe lent = UnsafeBufferPointer(rebasing: lent[count...])
        } else {
            count = min(leftOver.count, buffer.count)
            _ = unsafe buffer.update(fromContentsOf: leftOver[..<count])
            leftOver.removeFirst(count)
        }
        return count
    }
}

/// The BIO that a session reads from. Its data pointer is an `InputSource`.
enum InputBIO {
    /// Created once, never changed and never freed.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "lent bytes")
        unsafe BIO_meth_set_read(method) { bio, start, count in
            guard let source = unsafe BIO_get_data(bio), let start = unsafe start, count > 0 else { return -1 }
            unsafe BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            let moved = unsafe start.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { start in
                unsafe source.assumingMemoryBound(to: InputSource.self).pointee.read(
                    into: UnsafeMutableBufferPointer(start: start, count: Int(count)))
            }
            guard moved == 0 else { return Int32(moved) }
            unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            return -1
        }
        unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        unsafe BIO_meth_set_create(method) { bio in
            unsafe BIO_set_init(bio, 1)
            return 1
        }
        return unsafe method
    }()

    /// - Parameter source: must outlive the BIO.
    static func make(_ source: UnsafeMutablePointer<InputSource>) -> OpaquePointer? {
        guard let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, source)
        return unsafe bio
    }
}
