import Glibc

/// A temporary directory for a gateway's data, which is deleted when the test ends.
final class Scratch {
    let path: String

    init() {
        var template = Array("/tmp/pushpit-gateway-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for tail in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + "/pushpit.db" + tail) }
        unsafe rmdir(path)
    }
}
