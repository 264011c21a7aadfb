import Platform
import TestSupport
import Testing

@testable import Preload

/// The library inside the program.
@Suite struct PreloadedLibraryTests {
    @Test func `the library is a shared library that programs can load`() throws {
        let scratch = Scratch()
        let bytes = PreloadedLibrary.bytes
        #expect(bytes.starts(with: [0x7F] + Array("ELF".utf8)))
        try Files.write(bytes, to: scratch.path("a.so"), mode: 0o600)
        #expect(PreloadedLibrary.problem(scratch.path("a.so")) == nil)
        try Files.write(Array("text".utf8), to: scratch.path("b.so"), mode: 0o600)
        #expect(PreloadedLibrary.problem(scratch.path("b.so"))?.contains("b.so") == true)
    }
}
