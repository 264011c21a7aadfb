import Glibc
import TestSupport
import Testing

@testable import Platform

/// Directories of one run, and what a killed run leaves behind.
@Suite struct RunDirectoryTests {
    private let scratch = Scratch()
    /// So far in the future that everything here is old.
    private let later: Int64 = 1 << 40

    private func names() -> [String] {
        Files.names(in: scratch.directory).filter { $0 != "." && $0 != ".." }
    }

    private func clean(at now: Int64? = nil) {
        RunDirectory.removeAbandoned("run", in: scratch.directory, at: now ?? later)
    }

    private func make(_ name: String) throws -> String {
        let path = scratch.path(name)
        try Files.makeDirectory(path)
        return path
    }

    @Test func `a directory is private and disappears with everything in it`() throws {
        let directory = try RunDirectory.make("run", in: scratch.directory)
        #expect(Scratch.mode(of: directory.path) == 0o700)
        try Files.makeDirectory("\(directory.path)/inner")
        try Files.write([1], to: "\(directory.path)/inner/file", mode: 0o600)
        _ = unsafe symlink("/etc", "\(directory.path)/link")
        directory.remove()
        directory.remove()
        #expect(names() == [])
        #expect(Files.names(in: "/etc").contains("passwd"))
    }

    @Test func `a directory disappears when its owner is released`() throws {
        do {
            let directory = try RunDirectory.make("run", in: scratch.directory)
            #expect(names().count == 1)
            _ = directory
        }
        #expect(names() == [])
    }

    @Test func `a directory that is in use stays`() throws {
        let directory = try RunDirectory.make("run", in: scratch.directory)
        clean()
        #expect(names().count == 1)
        directory.remove()
    }

    @Test func `many directories in use do not protect an old one`() throws {
        let used = try (0..<20).map { _ in try RunDirectory.make("run", in: scratch.directory) }
        _ = try make("run-zzzzzz")
        clean()
        #expect(names().count == 20 && !names().contains("run-zzzzzz"))
        used.forEach { $0.remove() }
    }

    @Test func `an old directory without a lock is removed`() throws {
        let path = try make("run-aB3dEf")
        try Files.write([1], to: "\(path)/file", mode: 0o600)
        clean()
        #expect(names() == [])
    }

    @Test func `a new directory stays, because its run may just have started`() throws {
        let path = try make("run-aB3dEf")
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        let changed = Int64(status.st_mtim.tv_sec)
        clean(at: changed + 59)
        #expect(names().count == 1)
        clean(at: changed + 60)
        #expect(names() == [])
    }

    @Test(arguments: ["run-abcde", "run-abcdefg", "run-abc_ef", "run", "other-abcdef", "runs-abcdef"])
    func `directories with other names stay`(name: String) throws {
        _ = try make(name)
        clean()
        #expect(names() == [name])
    }

    @Test func `links and files stay, and so does what a link names`() throws {
        let target = try make("target")
        try Files.write([1], to: "\(target)/file", mode: 0o600)
        try Files.write([1], to: scratch.path("run-abcdee"), mode: 0o600)
        _ = unsafe symlink(target, scratch.path("run-abcdef"))
        clean()
        #expect(names() == ["run-abcdee", "run-abcdef", "target"])
        #expect(Files.names(in: target).contains("file"))
    }

    @Test func `one run removes only some directories`() throws {
        for index in 10..<40 { _ = try make("run-abcd\(index)") }
        clean()
        #expect(names().count == 14)
        clean()
        #expect(names() == [])
    }

    @Test func `the error names a parent that does not exist`() {
        let error = #expect(throws: Files.Failure.self) {
            _ = try RunDirectory.make("run", in: scratch.path("missing"))
        }
        #expect(error?.description.hasPrefix("cannot make a directory in \(scratch.path("missing"))") == true)
    }
}
