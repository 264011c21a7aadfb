import Glibc
import Platform
import TestSupport

@testable import Credentials

/// Sets of credentials in a temporary directory.
extension Scratch {
    /// When the sets of all tests were made.
    static let now: Int64 = 1_800_000_000
    static let port: UInt16 = 2197

    /// Made once: finding an RSA key takes long.
    private static let template: [(name: String, bytes: [UInt8])] = {
        let scratch = Scratch()
        guard (try? Credentials.prepare(in: scratch.directory, for: .init().listening(on: port), now: now)) != nil
        else { return [] }
        return scratch.names.compactMap { name in
            (try? Files.read(scratch.path(name))).flatMap { bytes in bytes.map { (name, $0) } }
        }
    }()

    /// A copy of a set. Its `pushpit.json` names another directory, until it is prepared.
    static func withSet() throws -> Scratch {
        let scratch = Scratch()
        for (name, bytes) in template { try Files.write(bytes, to: scratch.path(name), mode: 0o600) }
        return scratch
    }

    /// The files in it.
    var names: [String] { Files.names(in: directory).filter { !$0.hasPrefix(".") } }

    func read(_ name: String) throws -> [UInt8]? { try Files.read(path(name)) }

    func text(_ name: String) throws -> String { String(decoding: try read(name) ?? [], as: UTF8.self) }

    func write(_ bytes: [UInt8], _ name: String) throws { try Files.write(bytes, to: path(name), mode: 0o600) }

    func remove(_ name: String) { unsafe unlink(path(name)) }

    /// - Parameter running: the ports of other gateways that are running.
    func prepare(
        port: UInt16? = port, for needs: Credentials.Needs = .init(), at now: Int64 = now, running: Set<UInt16> = []
    ) throws -> Credentials {
        let needs = port.map(needs.listening) ?? needs
        return try Credentials.prepare(in: directory, for: needs, now: now) { running.contains($0) }
    }

    /// Why it can't be prepared.
    func problem(at now: Int64 = now) -> String? {
        do throws(Credentials.Problem) {
            _ = try Credentials.prepare(in: directory, for: .init().listening(on: Self.port), now: now)
            return nil
        } catch { return error.description }
    }

    func mode(of name: String) -> mode_t { Self.mode(of: path(name)) }
}
