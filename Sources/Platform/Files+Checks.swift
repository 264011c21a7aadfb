internal import Glibc

extension Files.Failure {
    init(description: String) { self.description = description }
}

extension Files {
    /// Checks that `write` can make or replace the file, without changing anything.
    ///
    /// Only a regular file can be replaced: `write` renames, which would turn a device such as /dev/null into a file.
    package static func checkWritable(_ path: String) throws(Failure) {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure(description: "cannot write \(path): it is not a regular file")
        }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard unsafe access(directory, W_OK | X_OK) == 0 else { throw Failure("write", path) }
    }

    /// Writes a file that does not exist yet. An existing file stays as it is.
    package static func make(_ bytes: [UInt8], at path: String, mode: UInt32) throws(Failure) {
        guard unsafe access(path, F_OK) != 0 else { return }
        let temporary = temporaryName(for: path)
        try write(bytes, to: temporary, mode: mode)
        defer { unsafe unlink(temporary) }
        // Unlike a new name, a link never replaces a file that another process has made meanwhile.
        guard unsafe link(temporary, path) == 0 || errno == EEXIST else { throw Failure("write", path) }
    }

    /// The first bytes of a regular file; nil if it can't be read.
    package static func beginning(of path: String, _ count: Int) -> [UInt8]? {
        // Not blocking, because the file may be a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe Glibc.read(descriptor, &bytes, count)
        return found < 0 ? nil : Array(bytes.prefix(found))
    }

    /// The absolute path behind symbolic links; the absolute path itself if the file does not exist.
    package static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return absolute(path) }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
