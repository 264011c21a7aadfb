/// The schemas that several calls share, by name.
enum SchemaBook {
    typealias S = Schema

    static let count = S.integer(0...Int.max)
    static let number = S.integer(.min ... .max)
    static let text = S.text()
    static let nullableText = S.nullable(.text())
    static let name = S.text(1...256)

    static let all = messages + expectations + events + devices + apps + faults + service
}
