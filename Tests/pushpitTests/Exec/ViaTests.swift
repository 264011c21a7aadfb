import Testing

@testable import pushpit

/// The way that `exec` chooses.
@Suite struct ViaTests {
    private func route(
        _ via: Via, host: String? = nil, traces: Bool = true, preloads: Bool = true
    ) throws(ExitFailure) -> (route: ExecRoute, notice: String?) {
        try via.route(
            in: Via.Circumstances(host: host, command: "run", canTrace: { traces }, canPreload: { preloads }))
    }

    @Test func `a supervisor is chosen where the system allows one`() throws {
        #expect(try route(.auto) == (.trace, nil))
        #expect(try route(.trace) == (.trace, nil))
        #expect(try route(.preload) == (.preload, nil))
        #expect(try route(.proxy, traces: false, preloads: false) == (.proxy, nil))
        #expect(try route(.preload, traces: false, preloads: false) == (.preload, nil))
    }

    @Test func `without a supervisor, a library is preloaded if the command can load one`() throws {
        let (way, notice) = try route(.auto, traces: false)
        #expect(way == .preload)
        #expect(notice?.contains("seccomp user notification") == true)
        #expect(notice?.contains("preloaded into programs. Programs that neither load the library") == true)
        let (other, reason) = try route(.auto, traces: false, preloads: false)
        #expect(other == .proxy)
        #expect(
            reason?.contains("nothing can be preloaded into 'run', so only programs that honour HTTPS_PROXY") == true)
    }

    @Test func `connections are led to 127.0.0.1 only`() throws {
        #expect(try route(.auto, host: "127.0.0.1") == (.trace, nil))
        #expect(try route(.proxy, host: "10.0.0.1") == (.proxy, nil))
        let (way, notice) = try route(.auto, host: "::1")
        #expect(way == .proxy)
        #expect(
            notice?.hasPrefix("Connections can be redirected only to a gateway on 127.0.0.1, not on ::1, so only")
                == true)
        for via in [Via.trace, .preload] {
            let error = #expect(throws: ExitFailure.self) { _ = try route(via, host: "::1") }
            #expect(error?.message?.hasSuffix("not on ::1; use --via proxy") == true)
        }
    }

    @Test func `a supervisor that the system does not allow is an error`() {
        let error = #expect(throws: ExitFailure.self) { _ = try route(.trace, traces: false) }
        #expect(error?.code == 69)
        #expect(error?.message?.hasSuffix("use --via proxy") == true)
    }

    /// The head of an ELF file with one segment of each type.
    private static func elf(_ types: [UInt8], bits: UInt8 = 2) -> [UInt8] {
        var bytes = [0x7F] + Array("ELF".utf8) + [bits, 1] + [UInt8](repeating: 0, count: 58)
        (bytes[32], bytes[54], bytes[56]) = (64, 56, UInt8(types.count))
        for type in types { bytes += [type] + [UInt8](repeating: 0, count: 55) }
        return bytes
    }

    @Test func `a program with an interpreter segment is linked dynamically`() {
        #expect(ProgramFile(head: Self.elf([6, 3, 1])) == .dynamic)
        #expect(ProgramFile(head: Self.elf([1, 2])) == .staticallyLinked)
        #expect(ProgramFile(head: Self.elf([3], bits: 1)) == .staticallyLinked)
        #expect(ProgramFile(head: []) == .unknown)
        #expect(ProgramFile(head: Array(Self.elf([3]).prefix(63))) == .unknown)
    }

    @Test func `every cut or changed head is read without a trap`() {
        let head = Self.elf([1, 3])
        for count in 0...head.count { _ = ProgramFile(head: Array(head.prefix(count))) }
        for index in head.indices {
            var changed = head
            changed[index] = 0xFF
            _ = ProgramFile(head: changed)
        }
    }

    @Test(arguments: [
        ("#!/bin/sh\n", ProgramFile.script(interpreter: "/bin/sh")), ("#! /a b\nc", .script(interpreter: "/a")),
        ("#!", .unknown), ("# x", .unknown),
    ]) func `a script has an interpreter`(text: String, kind: ProgramFile) {
        #expect(ProgramFile(head: Array(text.utf8)) == kind)
    }

    @Test(arguments: [
        ("static", false), ("dynamic", true), ("/b/static", false), ("script", false), ("gone", true),
        ("/x/text", true),
    ]) func `a command is found in PATH, and a script counts as its interpreter`(command: String, canPreload: Bool) {
        let files = [
            "/b/static": Self.elf([1]), "/b/dynamic": Self.elf([3]), "/c/static": Self.elf([3]),
            "/c/script": Array("#!/b/static -x\n".utf8), "/x/text": Array("text".utf8),
        ]
        #expect(ProgramFile.canPreload(command, path: "/a:/b:/c") { files[$0] } == canPreload)
    }
}
