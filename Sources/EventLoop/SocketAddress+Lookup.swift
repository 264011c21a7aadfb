internal import CUV
internal import Glibc

/// Looking up host names. It blocks, so only the command line does it, before the loop runs, and `HostLookup`.
extension SocketAddress {
    /// Why an address cannot be used.
    package struct LookupFailure: Error {
        /// Without a subject, such as "has no port from 0 to 65535".
        package let reason: String
        /// Whether the text is right, but nothing knows its host at the moment.
        package let isOfHost: Bool

        package init(reason: String, isOfHost: Bool = false) { (self.reason, self.isOfHost) = (reason, isOfHost) }
    }

    /// Reads `HOST:PORT` and looks up the host if it is a name. Of several addresses, IPv4 comes first.
    package init(lookingUp text: String) throws(LookupFailure) {
        self = try Self.all(lookingUp: text)[0]
    }

    /// The same, with all addresses of the host: at least one, and first those of IPv4.
    static func all(lookingUp text: String) throws(LookupFailure) -> [SocketAddress] {
        let address = try SocketAddress(unresolved: text)
        guard let name = address.name else { return [address] }
        return try lookUp(name).map { host in
            var found = address
            found.host = host
            return found
        }
    }

    /// Reads `HOST:PORT`. If the host is a name, it stays one.
    package init(unresolved text: String) throws(LookupFailure) {
        if let address = SocketAddress(parsing: text) {
            self = address
            return
        }
        guard let colon = text.lastIndex(of: ":") else { throw LookupFailure(reason: "has no port") }
        guard let port = SocketAddress(parsing: "127.0.0.1" + text[colon...])?.port else {
            throw LookupFailure(reason: "has no port from 0 to 65535")
        }
        let name = String(text[..<colon])
        guard !name.isEmpty else { throw LookupFailure(reason: "has no host") }
        guard name.utf8.allSatisfy({ Self.isNameCharacter($0) }) else {
            throw LookupFailure(reason: "has no valid host (IPv6 addresses need brackets)")
        }
        self.init(host: name, port: port)
        self.name = name
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || [0x2D, 0x2E, 0x5F].contains(byte)
    }

    private static func lookUp(_ name: String) throws(LookupFailure) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else {
            let why = unsafe String(cString: gai_strerror(code))
            throw LookupFailure(reason: "has a host that cannot be looked up: \(why)", isOfHost: true)
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [String] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let raw = unsafe current.pointee.ai_addr {
                var storage = sockaddr_storage()
                let size = min(Int(unsafe current.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
                unsafe withUnsafeMutableBytes(of: &storage) { bytes in
                    unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: raw, count: size))
                }
                found.append(SocketAddress(raw: storage).host)
            }
            unsafe entry = unsafe current.pointee.ai_next
        }
        guard !found.isEmpty else { throw LookupFailure(reason: "has a host without an address") }
        return found.filter { !$0.contains(":") } + found.filter { $0.contains(":") }
    }
}
