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
        case .array:
            let digits = token.utf8
            guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                digits.first != UInt8(ascii: "0") || digits.count == 1, let index = Int(token)
            else { return nil }
            return self[index]
        case .null, .bool, .number, .string: return nil
        }
    }
}
