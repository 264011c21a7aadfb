/// A NULL-terminated list of C strings, which it owns. The pointers are valid as long as it is.
@safe struct CStringList: ~Copyable {
    private let bytes: UnsafeMutableBufferPointer<CChar>
    private let list: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>

    /// - Parameter texts: strings without their final zero. A zero inside ends a string early.
    init(_ texts: [[UInt8]]) {
        unsafe bytes = .allocate(capacity: texts.reduce(0) { $0 &+ $1.count &+ 1 })
        unsafe list = .allocate(capacity: texts.count &+ 1)
        var end = 0
        for (index, text) in texts.enumerated() {
            unsafe list.initializeElement(at: index, to: UnsafePointer(bytes.baseAddress.map { unsafe $0 + end }))
            for byte in text + [0] {
                unsafe bytes.initializeElement(at: end, to: CChar(bitPattern: byte))
                end &+= 1
            }
        }
        unsafe list.initializeElement(at: texts.count, to: nil)
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe list.deallocate()
    }

    var pointer: UnsafePointer<UnsafePointer<CChar>?>? { unsafe UnsafePointer(list.baseAddress) }
}
