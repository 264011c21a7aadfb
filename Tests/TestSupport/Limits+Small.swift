package import HTTP1

extension Limits {
    /// Limits so low that short inputs exceed them.
    package static var small: Limits {
        var limits = Limits()
        limits.startLine = 60
        limits.headerBytes = 120
        limits.headerFields = 4
        limits.body = 6
        limits.discard = 6
        limits.chunkExtensions = 8
        limits.trailerBytes = 24
        limits.trailerFields = 2
        return limits
    }
}
