import EventLoop
import Platform
import Testing

@testable import Fetching

/// What a gateway sends to other programs, and a web server that gets it.
final class Setting {
    let server: WebServer
    let outgoing: Outgoing
    private(set) var notes: [String] = []

    init(_ change: (inout OutgoingSettings, UInt16) -> Void = { _, _ in }) throws {
        server = try WebServer()
        var settings = OutgoingSettings()
        change(&settings, server.port)
        var note: OutgoingNote = { _, _, _ in }
        outgoing = try Outgoing(settings, on: server.loop, ownPorts: [1], authorityFile: "") { note($0, $1, $2) }
        note = { [unowned self] level, message, fields in
            notes.append(
                "\(level.rawValue) \(message)" + fields.map { " \($0.key)=\($0.value?.logText ?? "")" }.joined())
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)/\(path)" }

    func close() {
        outgoing.close()
        #expect(server.close())
    }
}
