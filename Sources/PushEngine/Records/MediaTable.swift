package import Devices
package import PushCore

/// What devices get when they fetch a URL. The URLs are kept in order, because sorting thousands of them for each page of
/// a list would take long.
package struct MediaTable: Sendable {
    private var byURL: [String: Media] = [:]
    package private(set) var urls = SortedKeys<String>()

    package init() {}

    package var count: Int { byURL.count }

    package subscript(url: String) -> Media? {
        get { byURL[url] }
        set {
            let hadMedia = byURL[url] != nil
            byURL[url] = newValue
            guard hadMedia != (newValue != nil) else { return }
            if hadMedia { urls.remove(url) } else { urls.insert(url) }
        }
    }
}
