internal import Glibc

/// The few file system calls that the program needs, for small files that fit into memory.
package enum Files {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        init(_ operation: String, _ path: String) {
            let remedy = errno == ENOSPC || errno == EDQUOT ? "; free some space on its disk" : ""
            description = "cannot \(operation) \(path): \(unsafe String(cString: strerror(errno)))\(remedy)"
        }
    }

    /// The most bytes that are read of a file. A device such as /dev/zero never ends.
    private static let largest = 256 << 20

    /// The whole file; nil if it does not exist.
    package static func read(_ path: String) throws(Failure) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure("read", path)
        }
        defer { close(descriptor) }
        return try read(descriptor, for: path)
    }

    /// Reads standard input to its end. Another user may have opened it, so it is not opened again.
    package static func readStandardInput() throws(Failure) -> [UInt8] { try read(0, for: "standard input") }

    private static func read(_ descriptor: Int32, for path: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            guard count >= 0 else { throw Failure("read", path) }
            guard count > 0 else { return bytes }
            guard bytes.count < largest else {
                errno = EFBIG
                throw Failure("read", path)
            }
            bytes.append(contentsOf: part[..<count])
        }
    }

    /// The content of a regular file with at most `limit` bytes; nil if it is something else, such as a pipe, which might
    /// never end.
    package static func readRegular(_ path: String, atMost limit: Int) -> [UInt8]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            return nil
        }
        return (try? read(path)) ?? nil
    }

    /// The mode of a file that anybody may read if the umask allows it.
    package static var defaultMode: UInt32 {
        let mask = umask(0)
        umask(mask)
        return 0o644 & ~UInt32(mask)
    }

    /// Writes to a temporary file beside `path` and renames it, so that a reader never sees half a file. The temporary
    /// file has a unique name, because another process may write the same file.
    ///
    /// - Parameter isLasting: whether the file has to survive a loss of power. That takes a while.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32, isLasting: Bool = true
    ) throws(Failure) {
        let temporary = temporaryName(for: path)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw Failure("write", path) }
        defer { close(descriptor) }
        guard writeAll(bytes, descriptor), fchmod(descriptor, mode_t(mode)) == 0,
            !isLasting || fsync(descriptor) == 0,
            unsafe Glibc.rename(temporary, path) == 0
        else {
            let failure = Failure("write", path)
            unsafe unlink(temporary)
            throw failure
        }
    }

    /// False if the descriptor does not take all of the bytes.
    package static func writeAll(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Deletes a file. Nothing happens if it does not exist or can't be deleted.
    package static func remove(_ path: String) { unsafe unlink(path) }

    private static let temporaryEnd = ".new"

    static func temporaryName(for path: String) -> String {
        "\(path).\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))\(temporaryEnd)"
    }

    /// Deletes the temporary files that `write` left in a directory when its process was killed. No other process may
    /// write to the directory meanwhile.
    package static func removeTemporaries(in directory: String) {
        for name in names(in: directory) where isTemporary(name) { unsafe unlink("\(directory)/\(name)") }
    }

    /// Whether the name ends like `.1234-89abcdef.new`.
    private static func isTemporary(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.hasSuffix(temporaryEnd), parts.count >= 3 else { return false }
        let numbers = parts[parts.count - 2].split(separator: "-", omittingEmptySubsequences: false)
        return numbers.count == 2 && Int32(numbers[0]) != nil && UInt64(numbers[1], radix: 16) != nil
    }

    /// Gives a file another name. Nothing happens if it does not exist.
    package static func rename(_ path: String, to new: String) throws(Failure) {
        guard unsafe Glibc.rename(path, new) == 0 || errno == ENOENT else { throw Failure("rename", path) }
    }

    /// Sets a file's mode, unless it has it already.
    package static func setMode(_ mode: UInt32, of path: String) throws(Failure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw Failure("read", path) }
        if UInt32(status.st_mode) & 0o7777 == mode { return }
        guard unsafe chmod(path, mode_t(mode)) == 0 else { throw Failure("change the mode of", path) }
    }

    /// Makes a directory, and those above it.
    package static func makeDirectory(_ path: String) throws(Failure) {
        if unsafe mkdir(path, 0o755) == 0 { return }
        if errno == ENOENT, let parent = parent(of: path) {
            try makeDirectory(parent)
            if unsafe mkdir(path, 0o755) == 0 { return }
        }
        // If the name exists, it may be that of a file.
        guard errno == EEXIST else { throw Failure("make the directory", path) }
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // One that exists and can't be listed may still be usable.
        guard descriptor >= 0 || errno == EACCES else { throw Failure("make the directory", path) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the directory that a file is to be in.
    package static func makeDirectory(around path: String) throws(Failure) {
        if let parent = parent(of: path) { try makeDirectory(parent) }
    }

    /// The path without its last part; nil if nothing is left, or only `/`.
    private static func parent(of path: String) -> String? {
        let parts = path.split(separator: "/")
        if parts.count < 2 { return nil }
        return (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    }

    /// The names in a directory, sorted; empty if the directory does not exist.
    package static func names(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        return unsafe names(in: directory).sorted()
    }

    /// The names in an open directory, with `.` and `..`.
    static func names(in directory: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe names.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        return names
    }

    /// The path from the root; the path itself if the current directory is unknown.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return "\(unsafe String(cString: current))/\(path)"
    }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, 255) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
