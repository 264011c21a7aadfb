internal import HTTPCore

/// The answer to a request.
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

    /// The value of the first header with this name.
    public subscript(name: String) -> String? {
        headers.first { $0.name.elementsEqual(name.lowercased().utf8) }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
    }

    /// The number of headers, not counting the status.
    public var fieldCount: Int { headers.count - 1 }
}
