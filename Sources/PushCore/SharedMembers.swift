package import JSON

/// Members that the data of many events have in common, as they were written last: what a push looks like is the same
/// on each device it comes up on. For writers of the compact style.
package struct SharedMembers {
    /// Held, so that no other can have its place in memory.
    private var source: AnyObject?
    private var variant: UInt8 = 0
    private var octets: [UInt8] = []

    package init() {}

    /// - Parameters:
    ///   - source: what they are made of, and nothing else but `variant`.
    ///   - write: writes them into an object.
    package mutating func write(
        of source: AnyObject, _ variant: UInt8, to json: inout JSONWriter, _ write: (inout JSONWriter) -> Void
    ) {
        if self.source !== source || self.variant != variant {
            var own = JSONWriter()
            own.object(write)
            octets = Array(own.finish().dropFirst().dropLast())
            (self.source, self.variant) = (source, variant)
        }
        json.members(octets)
    }
}
