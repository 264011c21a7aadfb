import Patterns

/// The input is an expression and, after a line feed, a text. A search in portions finds the same as one in one go, in a
/// number of steps that is bounded by both lengths.
func fuzzRegularExpression(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let source = String(decoding: parts[0], as: UTF8.self)
    let text = String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self)
    let expression: RegularExpression
    do throws(RegularExpression.Problem) { expression = try RegularExpression(source) } catch {
        demand(!error.reason.isEmpty, "an error without a reason")
        demand(
            error.position.map { (1...source.unicodeScalars.count + 1).contains($0) } ?? true, "\(error) in \(source)")
        return
    }
    demand(expression.size <= RegularExpression.maximumSize + 1, "\(source) has \(expression.size) steps")
    let characters = text.unicodeScalars.count
    let allowed = 8 * expression.size * (characters + 1)
    var (whole, steps) = (RegexSearch(expression), allowed)
    guard let isFound = whole.advance(in: text, steps: &steps) else {
        return demand(false, "\(source) takes over \(allowed) steps for \(characters) characters")
    }
    var (search, portions) = (RegexSearch(expression), 0)
    while true {
        var step = 1
        portions += 1
        guard let found = search.advance(in: text, steps: &step) else { continue }
        demand(found == isFound, "\(source) in portions finds another result in \(text)")
        break
    }
    demand(portions <= characters + 1, "\(source) takes \(portions) portions for \(characters) characters")
}
