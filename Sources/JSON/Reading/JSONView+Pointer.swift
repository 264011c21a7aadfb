extension JSONView {
    /// The value that `pointer` names; nil if it does not exist. If a key is repeated, its last value counts.
    package subscript(pointer: JSONPointer) -> JSONView? {
        var view = self
        for token in pointer.tokens {
            guard let inner = view.child(token) else { return nil }
            view = inner
        }
        return view
    }

    private func child(_ token: String) -> JSONView? {
        switch kind {
        case .object: return self[token]
        case .array: return Self.position(token).flatMap { self[$0] }
        case .null, .bool, .number, .string: return nil
        }
    }

    /// The array index that a pointer's token means; nil if it is a name.
    static func position(_ token: String) -> Int? {
        let digits = token.utf8
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0") || digits.count == 1
        else { return nil }
        return Int(token)
    }
}
