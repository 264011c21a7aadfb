package import HTTPCore

/// Encodes numbers and strings for storage on disk. A number is stored seven bits per byte, lowest bits first. A string
/// is preceded by its length.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ value: UInt64) {
        if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func signed(_ value: Int64) { number(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func byteArray(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    package mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// Nil and an empty string are encoded differently.
    package mutating func optional(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }

    package mutating func request(_ request: Request) { self.request(RequestView(request), after: nil) }

    /// - Parameter last: the previous request, if any. A field that is the same at the same position is written as a
    ///   single 0, because senders repeat most of their fields.
    mutating func request(_ request: borrowing RequestView, after last: RequestView?) {
        number(Self.requestVersions.lowerBound + (request.version == .http10 ? 0 : request.version == .http11 ? 1 : 2))
        flag(request.bodyIsOverLimit)
        number(UInt64(request.places.count))
        let (lastPlaces, lastStorage) = (last?.places ?? [], last?.storage ?? [])
        let (places, bytesNow) = (request.places.span, request.storage.span)
        let (before, bytesBefore) = (lastPlaces.span, lastStorage.span)
        for index in places.indices {
            let place = places[index]
            let field = bytesNow.extracting(place.field)
            if index < before.count, before[index].hasSameShape(as: place),
                bytesBefore.extracting(before[index].field).equals(field)
            {
                number(0)
            } else {
                number(UInt64(place.name.count) + 1)
                number(UInt64(place.value.count))
                bytes.append(addingCapacity: field.count) { $0.append(field) }
            }
        }
        number(UInt64(request.body.count))
        bytes.append(contentsOf: request.body)
    }

    /// The first number of an encoded request, which identifies the format and the HTTP version. The numbers 0 to 2
    /// belong to the older format, which stored the lengths of all fields and then all of their bytes.
    static let requestVersions: ClosedRange<UInt64> = 3...5
}

/// The parts of a request, wherever they are stored.
struct RequestView {
    let version: HTTPVersion
    let bodyIsOverLimit: Bool
    /// The positions of the fields in `storage`, counted from its start.
    let places: ArraySlice<HeaderBlock.Place>
    let storage: ArraySlice<UInt8>
    let body: ArraySlice<UInt8>
}

extension HeaderBlock.Place {
    /// Name and value, which are adjacent.
    fileprivate var field: Range<Int> { name.lowerBound..<value.upperBound }

    fileprivate func hasSameShape(as other: Self) -> Bool {
        quickKey == other.quickKey && name.count == other.name.count
    }
}

extension RequestView {
    init(_ request: Request) {
        self.init(
            version: request.version, bodyIsOverLimit: request.bodyIsOverLimit, places: request.headers.places[...],
            storage: request.headers.storage[...],
            body: request.body[...])
    }
}
