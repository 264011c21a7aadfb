package import Devices
package import PushCore

/// What devices get when they fetch a URL. The URLs are kept in order, because sorting thousands of them for each page of
/// a list would take long.
package struct MediaTable: Sendable {
    private var byURL: [String: Media] = [:]
    package private(set) var urls = SortedKeys<String>()

    package init() {}

    /// The bytes of all files together.
    package private(set) var byteCount = 0
    package static let byteCapacity = 32 << 20

    package var count: Int { byURL.count }

    package subscript(url: String) -> Media? {
        get { byURL[url] }
        set {
            let old = byURL[url]
            let hadMedia = old != nil
            byteCount = byteCount &+ (newValue?.content?.count ?? 0) &- (old?.content?.count ?? 0)
            byURL[url] = newValue
            guard hadMedia != (newValue != nil) else { return }
            if hadMedia { urls.remove(url) } else { urls.insert(url) }
        }
    }
}
