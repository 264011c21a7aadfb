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
        let end = size + name.count + value.count
        let start = unsafe room(for: end) + size
        if let from = name.baseAddress { unsafe start.update(from: from, count: name.count) }
        if let from = value.baseAddress { unsafe (start + name.count).update(from: from, count: value.count) }
        let mark = HeaderName.mark(name.count, name.isEmpty ? 0 : unsafe name[name.count - 1])
        let place = HeaderBlock.Place(mark: mark, nameStart: size, nameCount: name.count, valueCount: value.count)
        unsafe roomForPlace().initialize(to: place)
        count += 1
        size = end
    }

    /// What came, in as little memory as it needs.
    var block: HeaderBlock {
        HeaderBlock(
            storage: unsafe Array(UnsafeBufferPointer(start: memory, count: size)),
            places: unsafe Array(UnsafeBufferPointer(start: places, count: count)))
    }

    mutating func free() {
        unsafe memory?.deallocate()
        unsafe memory = nil
        unsafe places?.deallocate()
        unsafe places = nil
    }

    private mutating func roomForPlace() -> UnsafeMutablePointer<HeaderBlock.Place> {
        if let places = unsafe places, count < placeCapacity { return unsafe places + count }
        placeCapacity = max(16, placeCapacity * 2)
        let larger = UnsafeMutablePointer<HeaderBlock.Place>.allocate(capacity: placeCapacity)
        if let places = unsafe places { unsafe larger.update(from: places, count: count) }
        unsafe places?.deallocate()
        unsafe places = larger
        return unsafe larger + count
    }

    private mutating func room(for end: Int) -> UnsafeMutablePointer<UInt8> {
        if let memory = unsafe memory, end <= capacity { return unsafe memory }
        capacity = max(512, end * 2)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        if let memory = unsafe memory { unsafe larger.update(from: memory, count: size) }
        unsafe memory?.deallocate()
        unsafe memory = larger
        return unsafe larger
    }
}
