import Glibc

/// A temporary directory that is deleted with all of its files when the test ends.
final class Scratch {
    let directory: String
    /// The file of a `Store` in the directory.
    var path: String { directory + "/pushpit.db" }

    init() {
        var template = Array("/tmp/pushpit-storage-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for place in [directory + "/new", directory] {
            for tail in ["", "-wal", "-shm", "-journal"] { unsafe unlink(place + "/pushpit.db" + tail) }
            unsafe rmdir(place)
        }
    }

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

    /// The permission bits of a file or directory.
    static func mode(of path: String) -> UInt32 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
