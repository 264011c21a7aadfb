/// Values that follow JSON's grammar but have no meaning: halves of surrogate pairs, and numbers too large for a
/// double.
extension JSONDocument {
    package struct UnrepresentableValue: Sendable, Equatable {
        package enum Kind: Sendable {
            case highSurrogateAlone
            /// Another `\u` escape follows the high surrogate, but it is not a low surrogate.
            case highSurrogateBeforeOther
            case lowSurrogate
            case hugeNumber
        }

        package let kind: Kind
        package let offset: Int
    }

    /// A number with more characters than this can be too large for a double even without an exponent.
    private static let longNumber = 300

    /// The first unrepresentable value; nil if all values can be represented.
    ///
    /// Looks only at each node's flags unless a number is long or not an integer.
    package var unrepresentableValue: UnrepresentableValue? {
        for (index, node) in nodes.enumerated() {
            if node.flags.contains(.loneSurrogate) { return surrogate(in: Int(node.start)..<Int(node.end)) }
            guard node.kind == .number, !node.flags.contains(.integer) || node.end - node.start > Self.longNumber else {
                continue
            }
            let view = JSONView(document: self, index: index)
            if view.double == nil { return UnrepresentableValue(kind: .hugeNumber, offset: Int(node.start)) }
        }
        return nil
    }

    private func surrogate(in range: Range<Int>) -> UnrepresentableValue? {
        let text = bytes.span
        var index = range.lowerBound
        while index < range.upperBound {
            guard text[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard text[index + 1] == UInt8(ascii: "u"), let unit = JSONEscape.codeUnit(at: index + 2, in: text) else {
                index += 2
                continue
            }
            if JSONEscape.isLowSurrogate(unit) { return UnrepresentableValue(kind: .lowSurrogate, offset: index) }
            if JSONEscape.isHighSurrogate(unit) {
                if JSONEscape.lowSurrogate(at: index + 6, in: text) == nil {
                    let isEscape =
                        index + 7 < range.upperBound && text[index + 6] == UInt8(ascii: "\\")
                        && text[index + 7] == UInt8(ascii: "u")
                    return UnrepresentableValue(
                        kind: isEscape ? .highSurrogateBeforeOther : .highSurrogateAlone, offset: index)
                }
                index += 6
            }
            index += 6
        }
        return nil
    }
}
