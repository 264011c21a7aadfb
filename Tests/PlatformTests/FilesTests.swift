import Glibc
import Platform
import TestSupport
import Testing

/// Reading and writing whole files.
@Suite struct FilesTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `a written file is read back`(count: Int) throws {
        let scratch = Scratch()
        let path = scratch.path("file")
        // Zeros and bytes that are no text.
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Files.write(bytes, to: path, mode: 0o600)
        #expect(try Files.read(path) == bytes)
        #expect(Files.names(in: scratch.directory) == [".", "..", "file"])
    }

    @Test func `a write that fails leaves no temporary file, and leftovers can be deleted`() throws {
        let scratch = Scratch()
        try Files.makeDirectory(scratch.path("folder"))
        #expect(throws: Files.Failure.self) { try Files.write([1], to: scratch.path("folder"), mode: 0o600) }
        #expect(Files.names(in: scratch.directory) == [".", "..", "folder"])
        for name in ["a.pem.12-ff.new", "a.new", "a.pem.12-gg.new"] {
            try Files.write([1], to: scratch.path(name), mode: 0o600)
        }
        Files.removeTemporaries(in: scratch.directory)
        #expect(Files.names(in: scratch.directory) == [".", "..", "a.new", "a.pem.12-gg.new", "folder"])
    }

    @Test func `a file in place of a directory is refused, and a directory is kept`() throws {
        let scratch = Scratch()
        try Files.makeDirectory(scratch.path("folder"))
        try Files.makeDirectory(scratch.path("folder"))
        try Files.write([1], to: scratch.path("file"), mode: 0o600)
        let failure = #expect(throws: Files.Failure.self) { try Files.makeDirectory(scratch.path("file")) }
        #expect(failure?.description == "cannot make the directory \(scratch.path("file")): Not a directory")
    }

    @Test(arguments: [0o600, 0o644, 0o640] as [mode_t]) func `a file gets its mode, also one that exists`(mode: mode_t)
        throws
    {
        let scratch = Scratch()
        let path = scratch.path("file")
        try Files.write([1], to: path, mode: mode)
        #expect(Scratch.mode(of: path) == mode)
        try Files.write([2], to: path, mode: 0o604)
        #expect(Scratch.mode(of: path) == 0o604)
        #expect(try Files.read(path) == [2])
    }

    @Test func `a file that does not exist is nil, and one that can't be read is an error`() throws {
        let scratch = Scratch()
        #expect(try Files.read(scratch.path("none")) == nil)
        let failure = #expect(throws: Files.Failure.self) { try Files.read(scratch.directory) }
        #expect(failure?.description == "cannot read \(scratch.directory): Is a directory")
    }

    @Test func `a file can't be written where there is no directory, and the error names it`() {
        let scratch = Scratch()
        let path = scratch.path("none/file")
        let failure = #expect(throws: Files.Failure.self) { try Files.write([1], to: path, mode: 0o600) }
        #expect(failure?.description == "cannot write \(path): No such file or directory")
    }

    @Test func `a directory is made once, with those above it`() throws {
        let scratch = Scratch()
        try Files.makeDirectory(scratch.path("new"))
        try Files.makeDirectory(scratch.path("new"))
        #expect(Files.names(in: scratch.directory) == [".", "..", "new"])
        try Files.makeDirectory(scratch.path("none/inner/"))
        try Files.makeDirectory(around: scratch.path("other//inner/file"))
        try Files.makeDirectory(around: "file")
        #expect(Files.names(in: scratch.path("none")) == [".", "..", "inner"])
        #expect(Files.names(in: scratch.path("other")) == [".", "..", "inner"])
        try Files.write([1], to: scratch.path("file"), mode: 0o600)
        #expect(throws: Files.Failure.self) { try Files.makeDirectory(scratch.path("file/new/inner")) }
        #expect(throws: Files.Failure.self) { try Files.makeDirectory("") }
    }

    @Test func `names are sorted, and a missing directory has none`() throws {
        let scratch = Scratch()
        for name in ["b", "a", "C"] { try Files.write([], to: scratch.path(name), mode: 0o600) }
        #expect(Files.names(in: scratch.directory) == [".", "..", "C", "a", "b"])
        #expect(Files.names(in: scratch.path("none")).isEmpty)
    }

    @Test func `the host has a name without a zero byte`() {
        #expect(!Files.hostName.isEmpty)
        #expect(!Files.hostName.utf8.contains(0))
    }
}
