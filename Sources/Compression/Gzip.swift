internal import CZlib

/// Compresses and decompresses whole messages with gzip (RFC 1952).
package enum Gzip {
    /// Why bytes cannot be decompressed.
    package enum Problem: Error {
        /// They are not gzip, end early, have a wrong checksum, or are followed by other bytes.
        case broken
        /// The result is longer than the limit.
        case tooLong
    }

    /// 15 is zlib's largest window. Adding 16 selects the gzip format.
    private static let windowBits: Int32 = 15 + 16
    private static let chunkSize = 16_384

    /// Decompresses one gzip member. It stops at the limit, so a small input that would expand to a huge output costs
    /// no more memory or time than `limit` bytes do.
    package static func decompress(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
        var stream = unsafe z_stream()
        return try unsafe withUnsafeMutablePointer(to: &stream) { stream throws(Problem) in
            let size = unsafe Int32(MemoryLayout<z_stream>.size)
            guard unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw .broken }
            defer { unsafe inflateEnd(stream) }
            return try unsafe bytes.withUnsafeBufferPointer { input throws(Problem) in
                unsafe setInput(input, of: stream)
                return try unsafe inflateAll(stream, limit: limit)
            }
        }
    }

    /// Nil if there is not enough memory.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        return unsafe withUnsafeMutablePointer(to: &stream) { stream in
            let size = unsafe Int32(MemoryLayout<z_stream>.size)
            let code = unsafe deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            guard code == Z_OK else { return nil }
            defer { unsafe deflateEnd(stream) }
            var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(stream, uLong(bytes.count))))
            let result = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe setInput(input, of: stream)
                return unsafe write(stream, to: &output) { unsafe deflate(stream, Z_FINISH) }
            }
            guard result.code == Z_STREAM_END else { return nil }
            return Array(output[..<result.count])
        }
    }

    private static func inflateAll(
        _ stream: UnsafeMutablePointer<z_stream>, limit: Int
    ) throws(Problem) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        while true {
            let (code, count) = unsafe write(stream, to: &chunk) { unsafe inflate(stream, Z_NO_FLUSH) }
            output += chunk[..<count]
            guard output.count <= limit else { throw .tooLong }
            switch code {
            case Z_OK: continue
            case Z_STREAM_END where unsafe stream.pointee.avail_in == 0: return output
            // Z_BUF_ERROR comes here too: the input has ended too early.
            default: throw .broken
            }
        }
    }

    /// Makes `input` the stream's input. zlib does not change it, although it takes a mutable pointer.
    private static func setInput(_ input: UnsafeBufferPointer<UInt8>, of stream: UnsafeMutablePointer<z_stream>) {
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
    }

    /// Runs `call`, a zlib function, with `output` as its output buffer. Returns zlib's code and the number of bytes
    /// written.
    private static func write(
        _ stream: UnsafeMutablePointer<z_stream>, to output: inout [UInt8], _ call: () -> Int32
    ) -> (code: Int32, count: Int) {
        let size = output.count
        return unsafe output.withUnsafeMutableBufferPointer { buffer in
            unsafe stream.pointee.next_out = buffer.baseAddress
            unsafe stream.pointee.avail_out = UInt32(clamping: size)
            let code = call()
            return (code, size - Int(unsafe stream.pointee.avail_out))
        }
    }
}
