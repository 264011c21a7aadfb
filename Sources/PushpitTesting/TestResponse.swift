internal import HTTPCore

/// What was answered.
public struct TestResponse: Sendable {
    public let status: Int
    public let body: [UInt8]
    private let headers: HeaderBlock

    init(_ response: Response) {
        status = response.status
        headers = response.headers
        body = if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first field of that name.
    public subscript(name: String) -> String? {
        headers.first { $0.name.elementsEqual(name.lowercased().utf8) }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
    }

    /// How many fields there were, the status not counted.
    public var fieldCount: Int { headers.count - 1 }
}
