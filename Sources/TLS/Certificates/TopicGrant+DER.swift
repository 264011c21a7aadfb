extension TopicGrant {
    /// The most topics to read from one extension. Apple's certificates have about three.
    static let limit = 1_000

    /// Encodes Apple's list: a sequence in which each topic, a UTF8String, is followed by a sequence of its kinds.
    static func encode(_ grants: [TopicGrant]) -> [UInt8] {
        DERWriter.sequence(
            grants.flatMap { grant in
                [
                    DERWriter.utf8String(grant.topic),
                    DERWriter.sequence(grant.kinds.map { DERWriter.utf8String($0) }),
                ]
            })
    }

    /// Reads Apple's list. The kinds of a topic may be missing. Returns an empty array if any part is malformed.
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
