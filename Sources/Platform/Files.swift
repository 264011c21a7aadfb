internal import Glibc

/// The few file system calls that the program needs, for small files that fit into memory.
package enum Files {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        init(_ operation: String, _ path: String) {
            description = "cannot \(operation) \(path): \(unsafe String(cString: strerror(errno)))"
        }
    }

    /// The whole file; nil if it does not exist.
    package static func read(_ path: String) throws(Failure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure("read", path)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            guard count >= 0 else { throw Failure("read", path) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: part[..<count])
        }
    }

    /// Writes to a temporary file beside `path` and renames it, so that a reader never sees half a file.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Failure) {
        let temporary = path + ".new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw Failure("write", path) }
        defer { close(descriptor) }
        guard fchmod(descriptor, mode_t(mode)) == 0, unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            unsafe rename(temporary, path) == 0
        else { throw Failure("write", path) }
    }

    package static func makeDirectory(_ path: String) throws(Failure) {
        if unsafe mkdir(path, 0o755) == 0 { return }
        // If the name exists, it may be that of a file.
        let descriptor = errno == EEXIST ? unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        guard descriptor >= 0 || errno == EACCES else { throw Failure("make the directory", path) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// The names in a directory, sorted; empty if the directory does not exist.
    package static func names(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe names.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        return names.sorted()
    }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, 255) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
