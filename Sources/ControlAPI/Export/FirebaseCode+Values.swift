internal import JSON
internal import PushCore

/// Values that firebase-admin takes in another form than FCM.
extension FirebaseCode {
    func text(_ value: JSONView) -> String? {
        value.hasLoneSurrogate ? nil : value.string.map(language.quoted)
    }

    func list(_ items: [String?]) -> String? {
        let known = items.compactMap(\.self)
        return known.count == items.count ? "[\(known.joined(separator: ", "))]" : nil
    }

    /// `3.5s` as 3500000. Python's resolution is one microsecond.
    func microseconds(_ value: JSONView) -> Int64? {
        guard let text = value.string, text.utf8.last == UInt8(ascii: "s") else { return nil }
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 12 else { return nil }
        let rest = (parts.count > 1 ? parts.last : nil) ?? "0"
        let padded = rest + String(repeating: "0", count: max(0, 6 &- rest.utf8.count))
        let digits = whole + padded.prefix(6)
        guard !rest.isEmpty, padded.dropFirst(6).allSatisfy({ $0 == "0" }),
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return Int64(digits)
    }

    /// A number of seconds or milliseconds, as Python writes it.
    static func decimal(_ value: Int64, unit: Int64) -> String {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
        if rest == 0 { return String(whole) }
        var digits = String(rest &+ unit).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    /// A color as `#rrggbbaa`; nil if a component is not a multiple of 1/255.
    func color(_ value: JSONView) -> String? {
        guard value.kind == .object else { return nil }
        var code = "#"
        for name in ["red", "green", "blue", "alpha"] {
            let part = value[name]?.double ?? (name == "alpha" ? 1 : 0)
            guard 0...1 ~= part else { return nil }
            let scaled = (part * 255).rounded()
            guard abs(scaled / 255 - part) < 1e-6, let byte = UInt8(exactly: scaled) else { return nil }
            code += Hex.encode([byte])
        }
        return "\"\(code)\""
    }

    /// The name of a field as it is in the documents of FCM: `collapse_key` for `collapseKey`.
    static func snake(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase && $1.isASCII ? "_\($1.lowercased())" : String($1) }
    }
}
