internal import HTTPCore

/// The answer to a request.
public struct TestResponse: Sendable {
    public let status: Int
    public let body: [UInt8]
    private let headers: HeaderBlock

    init(_ response: Response) {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        self.init(response, body: body)
    }

    init(_ response: Response, body: [UInt8]) {
        status = response.status
        headers = response.headers
        self.body = body
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; null if it is not JSON.
    public var json: TestJSON { (try? TestJSON(parsing: body)) ?? nil }

    /// The value of the first field with that name; nil without such a field.
    public subscript(name: String) -> String? {
        headers.first { $0.name.elementsEqual(name.lowercased().utf8) }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
    }

    /// The names of the fields in their order, without the status.
    public var fieldNames: [String] {
        headers.map { String(decoding: $0.name, as: UTF8.self) }.filter { !$0.hasPrefix(":") }
    }

    /// The number of fields, without the status.
    public var fieldCount: Int { fieldNames.count }
}
