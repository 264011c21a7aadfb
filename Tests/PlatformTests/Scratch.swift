import Glibc

/// A temporary directory that is deleted with what is in it when the test ends.
final class Scratch {
    let directory: String

    init() {
        var template = Array("/tmp/pushpit-platform-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in ["file", "file.new", "a", "b", "C"] { unsafe unlink(path(name)) }
        for name in ["new", "file.new"] { unsafe rmdir(path(name)) }
        unsafe rmdir(directory)
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// The permission bits of a file.
    static func mode(of path: String) -> mode_t {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
