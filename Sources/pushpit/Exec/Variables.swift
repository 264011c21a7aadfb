internal import Glibc

/// The environment variables of a process. Values stay as they are, even if they are not UTF-8.
struct Variables {
    /// Each is `NAME=VALUE`.
    private(set) var entries: [[UInt8]]

    init(_ entries: [[UInt8]]) { self.entries = entries }

    init(_ texts: [String]) { self.init(texts.map { Array($0.utf8) }) }

    /// The variables of this process.
    static var ofThisProcess: Variables {
        var entries: [[UInt8]] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            unsafe entries.append(
                Array(UnsafeBufferPointer(start: entry, count: strlen(entry)).map { UInt8(bitPattern: $0) }))
            unsafe next = unsafe next.successor()
        }
        return Variables(entries)
    }

    /// The value of a variable; nil if it is not set. Nil removes the variable.
    subscript(name: String) -> String? {
        get {
            let start = Self.start(name)
            return entries.first { $0.starts(with: start) }
                .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
        }
        set {
            let start = Self.start(name)
            entries.removeAll { $0.starts(with: start) }
            if let newValue { entries.append(start + Array(newValue.utf8)) }
        }
    }

    /// The value of a variable; nil if it is not set or empty.
    func text(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

    private static func start(_ name: String) -> [UInt8] { Array("\(name)=".utf8) }
}
