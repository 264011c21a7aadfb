internal import EventLoop
internal import Inspection
internal import JSON
internal import Platform
internal import PushCore

/// `pushpit doctor [INPUT…]`: says what keys, tokens, accounts and payloads are, or whether this environment is ready for
/// pushes. Nothing is sent anywhere.
enum Doctor {
    static func run(_ options: Options) throws(ExitFailure) {
        let now = Timestamp(milliseconds: EventLoop.wallClock)
        let isJSON = try options.choice("json", Switch.self) == .on
        let passwords = try options.text("password").map { [$0] }
        var unreadable = 0
        var inputs: [Inspected] = []
        if options.operands.isEmpty {
            inputs.append(EnvironmentInspector.inspect(try EnvironmentProbe.facts(options, at: now)))
        }
        for operand in options.operands {
            do throws(ExitFailure) {
                var input = try read(operand)
                if let passwords { input.passwords = passwords }
                input.mayTakeSeconds = true
                let inspected = Inspector.inspect(input, at: now)
                if inspected.isUnknown, input.name == nil, operand != "-" {
                    throw ExitFailure(
                        code: 66,
                        message: "there is no file '\(operand.onOneLine)', and the text is not a key, token or payload")
                }
                inputs.append(inspected)
            } catch {
                error.lines.forEach(printError)
                unreadable += 1
            }
        }
        inputs = Comparison.compare(inputs)
        printOutput(isJSON ? json(inputs) : inputs.map(DoctorText.text).joined(separator: "\n"))
        if inputs.contains(where: \.report.hasErrors) { throw ExitFailure(code: 1, message: nil) }
        if unreadable > 0 {
            throw ExitFailure(code: 66, message: "\(unreadable) of \(options.operands.count) can't be read")
        }
    }

    /// One line for each input.
    static func json(_ inputs: [Inspected]) -> String {
        inputs.map { input in
            var json = JSONWriter()
            input.report.write(to: &json)
            return String(decoding: json.finish(), as: UTF8.self) + "\n"
        }.joined()
    }

    /// The longest file name that systems allow, in bytes.
    private static let longestName = 255
    private static let endings = [
        ".p8", ".p12", ".pfx", ".pem", ".key", ".cer", ".crt", ".der", ".csr", ".certsigningrequest", ".json", ".plist",
        ".apns", ".txt", ".jwt",
    ]

    /// Reads an operand: standard input for `-`, a file if the operand looks like a path or names a file that can be read,
    /// and otherwise the text itself.
    static func read(_ operand: String) throws(ExitFailure) -> InspectionInput {
        if operand == "-" { return InspectionInput(try Send.read("-")) }
        let isPath =
            ["/", "./", "../", "~"].contains(where: operand.hasPrefix)
            || endings.contains(where: operand.lowercased().hasSuffix)
        let name = operand.split(separator: "/").last.map(String.init) ?? operand
        guard isPath || name.utf8.count <= longestName else { return InspectionInput(Array(operand.utf8)) }
        if isPath { return InspectionInput(try Send.read(operand), name: name) }
        if let bytes = try? Files.read(operand) { return InspectionInput(bytes, name: name) }
        return InspectionInput(Array(operand.utf8))
    }
}
