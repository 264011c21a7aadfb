import HTTPCore

/// The fields of the head that is being read: memory that is kept from one head to the next.
///
/// Owns its memory; whoever has it must call `free`. Appending to an array field by field costs three times as much.
@safe struct FieldBuffer {
    private var memory: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    private var size = 0
    private var places: UnsafeMutablePointer<HeaderBlock.Place>?
    private var count = 0
    private var placeCapacity = 0

    /// The size HTTP/2 counts, with another field of these lengths.
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

    /// What came, in as little memory as it needs: that of the block before, where it is the same.
    func block(after last: HeaderBlock) -> HeaderBlock {
        let octets = unsafe UnsafeBufferPointer(start: memory, count: size)
        let fields = unsafe UnsafeBufferPointer(start: places, count: count)
        if unsafe octets.span.equals(last.storage), unsafe fields.elementsEqual(last.places) { return last }
        return HeaderBlock(storage: unsafe Array(octets), places: unsafe Array(fields))
    }

    mutating func free() {
        unsafe memory?.deallocate()
        unsafe memory = nil
        unsafe places?.deallocate()
        unsafe places = nil
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
