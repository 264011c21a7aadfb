internal import Platform

/// What a program's file says about how it is run.
enum ProgramFile: Equatable {
    /// A dynamic linker loads it, and the libraries that `LD_PRELOAD` names.
    case dynamic
    /// No dynamic linker loads it, so no library can be preloaded.
    case staticallyLinked
    /// A script with its interpreter.
    case script(interpreter: String)
    /// Not a program, or one that can't be read.
    case unknown

    /// Enough for the header of an ELF file, which is followed by the headers of its segments.
    private static let headSize = 4096

    /// - Parameter head: the first bytes of the file.
    init(head: [UInt8]) {
        if head.starts(with: "#!".utf8) {
            let line = String(decoding: head.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
            let words = line.split { $0 == " " || $0 == "\t" }
            self = words.first.map { .script(interpreter: String($0)) } ?? .unknown
        } else {
            self = ELFHead(head).map { $0.isLoadedByLinker ? .dynamic : .staticallyLinked } ?? .unknown
        }
    }

    /// Whether a library can be preloaded into the command. A script counts as its interpreter.
    ///
    /// - Parameters:
    ///   - program: a name, which is searched for in the directories of `path`, or a path.
    ///   - read: returns the first bytes of a file; nil if it can't be read.
    static func canPreload(
        _ program: String, path: String?, read: (String) -> [UInt8]? = { Files.beginning(of: $0, headSize) }
    ) -> Bool {
        let file = program.contains("/") ? program : find(program, path ?? "", read) ?? program
        var kind = ProgramFile(head: read(file) ?? [])
        if case .script(let interpreter) = kind { kind = ProgramFile(head: read(interpreter) ?? []) }
        return kind != .staticallyLinked
    }

    private static func find(_ name: String, _ path: String, _ read: (String) -> [UInt8]?) -> String? {
        path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { read($0) != nil }
    }
}
