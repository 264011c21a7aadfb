internal import HTTPCore
internal import JSON
internal import PushCore

/// What `pushpit doctor` says, for a key, token, account or payload in the body.
extension ControlAPI {
    static let inspectRoutes: [Route] = [
        Route(
            .post, "/inspect",
            "Say what a key, certificate, token, account or payload is, what is wrong with it, and what Apple or Google would answer.",
            body: .object([
                Schema.member("text", .text(), "A token, or the content of a text file."),
                Schema.member("base64", .text(), "The content of any file, instead of text."),
                Schema.member("name", .text(1...255), "The file's name, such as AuthKey_ABCDE12345.p8."),
            ]), answers: [(200, .named("Inspection"))], reply: inspect)
    ]

    private static func inspect(_ call: Call) throws(ControlProblem) -> Reply {
        var fields = try FieldReader(try call.body(), at: "")
        let text = try fields.string("text")
        let base64 = try fields.string("base64")
        let name = try fields.string("name")
        try fields.end()
        if let name, !(1...255).contains(name.utf8.count) {
            throw fields.problem("name", "must be a string of 1 to 255 bytes")
        }
        let bytes: [UInt8]
        switch (text, base64) {
        case (let text?, nil): bytes = Array(text.utf8)
        case (nil, let base64?):
            guard let decoded = Base64URL.decodeAny(base64.utf8) else {
                throw fields.problem("base64", "must be valid base64")
            }
            bytes = decoded
        case (nil, nil): throw fields.problem("text", "is required: the content to inspect, or give it as 'base64'")
        case (_?, _?): throw fields.problem("base64", "cannot be combined with 'text'")
        }
        return .deferred(.query(InspectCall(bytes, name: name)))
    }
}

/// An inspection as a sliced call, with one step in each turn of the loop. A step can take some milliseconds, because
/// deriving the key of a `.p12` file can't be divided.
private final class InspectCall: SlicedCall {
    private let bytes: [UInt8]
    private let name: String?
    private var step: (() -> InspectionReport?)?

    init(_ bytes: [UInt8], name: String?) {
        self.bytes = bytes
        self.name = name
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        let step = step ?? host.inspection(of: bytes, name: name)
        self.step = step
        guard let report = step() else { return nil }
        return .answer(.json { report.writeMembers(to: &$0) })
    }
}
