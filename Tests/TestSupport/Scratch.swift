package import Glibc

/// A temporary directory. It is deleted, with everything in it, when the test releases it.
package final class Scratch: Sendable {
    package let directory: String

    package init() {
        var template = Array("/tmp/pushpit-test-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.removeTree(directory) }

    private static func removeTree(_ path: String) {
        if unsafe remove(path) == 0 { return }
        guard let stream = unsafe opendir(path) else { return }
        defer {
            unsafe closedir(stream)
            unsafe rmdir(path)
        }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { removeTree("\(path)/\(name)") }
        }
    }

    /// The path of a file in the directory.
    package func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// The permission bits of a file or directory.
    package static func mode(of path: String) -> mode_t {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
