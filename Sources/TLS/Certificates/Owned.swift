/// Owner of one C object that lives no longer than a scope; frees it at the scope's end.
///
/// A value that cannot be copied and has a `deinit` lives to the end of its scope, so `pointer` stays good
/// for every call made there. Objects that live longer have a class of their own.
@safe struct Owned<Pointer>: ~Copyable {
    let pointer: Pointer
    private let free: (Pointer?) -> Void

    init(_ pointer: Pointer, freedBy free: @escaping (Pointer?) -> Void) {
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
