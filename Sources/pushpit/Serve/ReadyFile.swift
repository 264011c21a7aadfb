internal import Credentials
internal import EventLoop
internal import Gateway
internal import Glibc
internal import JSON
internal import Platform
internal import PushCore

/// The file of `--ready-file`: it exists while the gateway takes connections, and says where.
struct ReadyFile {
    private let path: String
    private var bytes: [UInt8] = []

    /// Removes the file that a killed gateway may have left. Nil without a path.
    init?(_ path: String?) {
        guard let path else { return nil }
        self.path = path
        Files.remove(path)
    }

    mutating func write(for server: Server) throws(ExitFailure) {
        bytes = Self.text(for: server)
        do throws(Files.Failure) {
            try Files.makeDirectory(around: path)
            try Files.write(bytes, to: path, mode: Files.defaultMode, isLasting: false)
        } catch {
            throw ExitFailure(code: 73, message: "\(error); see --ready-file")
        }
    }

    /// Removes the file, unless another gateway has written its own in the meantime.
    func remove() {
        if (try? Files.read(path)) == bytes { Files.remove(path) }
    }

    private static func text(for server: Server) -> [UInt8] {
        let credentials = server.credentials
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("url", Banner.url(server.addresses[0].address, server))
            json.key("listeners")
            json.array { json in
                for (role, address) in server.addresses {
                    json.object { json in
                        json.member("role", role)
                        json.member("url", Banner.url(address, server))
                    }
                }
            }
            json.member("pid", Int(truncatingIfNeeded: getpid()))
            json.member("version", version)
            json.member("credentials", Files.absolute(credentials.path(credentials.portFiles.index)))
        }
        return json.finish() + [0x0A]
    }
}
