extension PKCS12 {
    /// Everything in a PKCS#12 file that Pushpit looks at.
    package struct Contents {
        package internal(set) var keys: [PrivateKey] = []
        package internal(set) var certificates: [Certificate] = []
        /// Whether a part is encrypted with RC2, which few programs read today.
        package internal(set) var hasRC2 = false
    }

    package enum OpeningFailure: Error, Equatable {
        case notPKCS12
        case wrongPassword
        /// To derive the keys would take too long.
        case tooManyRounds
        /// OpenSSL's reason, for a cipher that it does not offer or damaged contents.
        case cannotDecrypt(String)
    }

    /// How often the derivation of keys may hash. A million rounds take about a second.
    package struct Limits: Sendable {
        /// For one key.
        package var roundsForKey: Int64
        /// For all safes and all passwords together.
        package var rounds: Int64

        package init(roundsForKey: Int64, rounds: Int64) {
            self.roundsForKey = roundsForKey
            self.rounds = rounds
        }
    }

    /// How often the derivation of a key hashes, by the integers in its parameters. They are the number of rounds,
    /// and perhaps the key's length. For scrypt they are three or four factors of the time.
    static func rounds(withParameters integers: [Int64]) -> Int64 {
        if integers.count <= 2 { return integers.max() ?? 0 }
        return integers.reduce(1) { product, factor in
            let (result, isTooLarge) = product.multipliedReportingOverflow(by: max(factor, 1))
            return isTooLarge ? .max : result
        }
    }
}

extension DERReader {
    private static let maximumDepth = 8

    /// The integers in nested sequences. `Int64.max` stands for one of more than seven bytes, and for sequences that are
    /// nested too deep.
    static func integers(in bytes: ArraySlice<UInt8>, depth: Int) -> [Int64] {
        guard depth < maximumDepth else { return [.max] }
        var reader = DERReader(bytes)
        var found: [Int64] = []
        while !reader.isAtEnd, let element = try? reader.next() {
            if element.isA(.sequence) {
                found.append(contentsOf: integers(in: element.contents, depth: depth &+ 1))
            } else if element.isA(.integer) {
                let digits = element.contents.drop { $0 == 0 }
                found.append(digits.count <= 7 ? digits.reduce(0) { $0 << 8 | Int64($1) } : .max)
            }
        }
        return found
    }
}
