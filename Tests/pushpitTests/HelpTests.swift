import Testing

@testable import pushpit

@Suite struct HelpTests {
    @Test func `the overview lists every command`() {
        for command in Command.allCases { #expect(Help.overview.contains("\n  \(command.rawValue) ")) }
    }
}
