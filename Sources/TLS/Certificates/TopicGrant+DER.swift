extension TopicGrant {
    /// Most topics read from one extension; Apple's certificates have three or so.
    static let limit = 1_000

    /// Apple's list: a topic as a UTF8String, then a sequence of its kinds, and so on in one sequence.
    static func encode(_ grants: [TopicGrant]) -> [UInt8] {
        DERWriter.sequence(
            grants.flatMap { grant in
                [
                    DERWriter.utf8String(grant.topic),
                    DERWriter.sequence(grant.kinds.map { DERWriter.utf8String($0) }),
                ]
            })
    }

    /// Every topic of such a list, or none if any of it is malformed. Kinds may be left out.
    static func decode(_ der: [UInt8]) -> [TopicGrant] {
        do {
            var reader = try DERReader.contents(ofSequence: der[...])
            var grants: [TopicGrant] = []
            while !reader.isAtEnd {
                guard grants.count < limit else { return [] }
                let topic = try text(&reader)
                var kinds: [String] = []
                if reader.isNext(.sequence) {
                    var list = DERReader(try reader.next(.sequence))
                    while !list.isAtEnd { kinds.append(try text(&list)) }
                }
                grants.append(TopicGrant(topic, kinds: kinds))
            }
            return grants
        } catch {
            return []
        }
    }

    private static func text(_ reader: inout DERReader) throws(DERReader.Malformed) -> String {
        guard let text = String(validating: try reader.next(.utf8String), as: UTF8.self), !text.isEmpty else {
            throw DERReader.Malformed()
        }
        return text
    }
}
