import Glibc
import TestSupport

/// The file of a `Store` in a temporary directory.
extension Scratch {
    var path: String { path("pushpit.db") }

    /// The bytes of the main database file.
    func read() -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    func write(_ bytes: [UInt8]) {
        guard let file = unsafe fopen(path, "wb") else { return }
        _ = unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
    }
}
