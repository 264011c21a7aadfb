import Platform
import Testing

@testable import pushpit

/// What the tests of the command line share.
enum CommandLineCase {
    /// Options with an environment that has only these variables.
    static func options(
        _ command: Command, _ arguments: [String] = [], _ variables: [String: String] = [:]
    ) throws(ExitFailure) -> Options {
        try Options(arguments, for: command, environment: { variables[$0] })
    }

    /// The message of a usage error; nil if the body does not throw one.
    static func usageError(_ body: () throws(ExitFailure) -> Void) -> String? {
        do throws(ExitFailure) {
            try body()
            return nil
        } catch {
            #expect(error.code == 64)
            return error.message
        }
    }

    /// A file of Tests/Conformance, by its path there.
    static func conformanceFile(_ path: String) throws -> String {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let bytes = try #require(try Files.read("/\(folder)/Conformance/\(path)"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
