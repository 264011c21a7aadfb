import HTTPCore

/// Collects the fields of the request that is being read. The memory is reused for every request of a connection.
///
/// Owns its memory, which cannot be shared because the type cannot be copied. It does not use arrays: appending a field
/// to them takes three times as long.
@safe struct HeaderBlockBuilder: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    /// The bytes of `memory` that are in use.
    private var size = 0
    private var places: UnsafeMutablePointer<HeaderBlock.Place>?
    private var count = 0
    private var placeCapacity = 0

    deinit {
        // Both hold only trivial values, so there is nothing to deinitialize.
        unsafe memory?.deallocate()
        unsafe places?.deallocate()
    }

    /// The header list size, as HTTP/2 counts it, if a field with these lengths were added.
    func listSize(with nameCount: Int, _ valueCount: Int) -> Int {
        size + nameCount + valueCount + 32 * (count + 1)
    }

    mutating func removeAll() {
        size = 0
        count = 0
    }

    mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        let end = size &+ name.count &+ value.count
        if end > capacity || count == placeCapacity { grow(to: end) }
        guard let memory = unsafe memory, let places = unsafe places else { return }
        let start = unsafe UnsafeMutableRawPointer(memory + size)
        if let from = name.baseAddress { unsafe start.copyMemory(from: from, byteCount: name.count) }
        if let from = value.baseAddress { unsafe (start + name.count).copyMemory(from: from, byteCount: value.count) }
        let last = name.isEmpty ? 0 : unsafe name[name.count - 1]
        unsafe (places + count).initialize(
            to: HeaderBlock.Place(last: last, nameStart: size, nameCount: name.count, valueCount: value.count))
        count += 1
        size = end
    }

    /// The collected fields as a block of exactly their size.
    var block: HeaderBlock {
        let bytes = unsafe UnsafeBufferPointer(start: memory, count: size)
        let fields = unsafe UnsafeBufferPointer(start: places, count: count)
        return HeaderBlock(storage: unsafe Array(bytes), places: unsafe Array(fields))
    }

    @inline(never) private mutating func grow(to end: Int) {
        if end > capacity {
            capacity = max(512, end * 2)
            unsafe memory = Self.moved(memory, size, to: capacity)
        }
        if count == placeCapacity {
            placeCapacity = max(16, placeCapacity * 2)
            unsafe places = Self.moved(places, count, to: placeCapacity)
        }
    }

    private static func moved<T>(
        _ old: UnsafeMutablePointer<T>?, _ count: Int, to capacity: Int
    ) -> UnsafeMutablePointer<T> {
        let larger = UnsafeMutablePointer<T>.allocate(capacity: capacity)
        guard let old = unsafe old else { return unsafe larger }
        unsafe larger.moveInitialize(from: old, count: count)
        unsafe old.deallocate()
        return unsafe larger
    }
}
