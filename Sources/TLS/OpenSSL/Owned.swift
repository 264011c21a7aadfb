/// Owns a C object and frees it at the end of the scope.
///
/// A noncopyable value with a `deinit` lives until the end of its scope, so `pointer` is valid in the whole scope.
/// Objects that live longer are owned by classes.
@safe struct Owned<Pointer>: ~Copyable {
    let pointer: Pointer
    private let free: (Pointer?) -> Void

    init(_ pointer: Pointer, freedBy free: @escaping (Pointer?) -> Void) {
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
