internal import Glibc

/// The contents of a directory, by its descriptor: a path could lead elsewhere in the meantime.
enum DirectoryTree {
    /// Directories that are nested deeper are left alone.
    private static let deepest = 8

    /// Deletes everything in a directory that can be deleted. Symbolic links are deleted, not followed.
    static func empty(_ directory: Int32) { empty(directory, depth: 0) }

    private static func empty(_ directory: Int32, depth: Int) {
        for name in names(in: directory) {
            if unsafe unlinkat(directory, name, 0) == 0 || depth >= deepest { continue }
            let inner = unsafe openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { continue }
            empty(inner, depth: depth &+ 1)
            close(inner)
            unsafe unlinkat(directory, name, AT_REMOVEDIR)
        }
    }

    private static func names(in directory: Int32) -> [String] {
        let copy = unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let stream = unsafe fdopendir(copy) else {
            close(copy)
            return []
        }
        defer { unsafe closedir(stream) }
        return unsafe Files.names(in: stream).filter { $0 != "." && $0 != ".." }
    }
}
