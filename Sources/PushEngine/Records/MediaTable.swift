package import Devices

/// What devices get when they fetch a URL. The URLs are kept in order, because sorting thousands of them for each page of
/// a list would take long.
package struct MediaTable: Sendable {
    private var byURL: [String: Media] = [:]
    package private(set) var urls: [String] = []

    package init() {}

    package var count: Int { byURL.count }

    package subscript(url: String) -> Media? {
        get { byURL[url] }
        set {
            let hadMedia = byURL[url] != nil
            byURL[url] = newValue
            guard hadMedia != (newValue != nil) else { return }
            let place = place(of: url)
            if hadMedia { urls.remove(at: place) } else { urls.insert(url, at: place) }
        }
    }

    /// The index of the first URL that is not before this one.
    private func place(of url: String) -> Int {
        var (low, high) = (0, urls.count)
        while low < high {
            let middle = (low + high) / 2
            if urls[middle] < url { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
