package import PushCore

/// The parts of an input that can be compared with other inputs. They contain no private key, but `signed` is a whole
/// token that may still be valid, so it must never be shown.
struct InspectedLinks: Sendable {
    /// The fingerprint of the public key.
    var fingerprint: [UInt8]?
    /// The public key in PEM.
    var publicKey: [UInt8]?
    /// Apple's id of a key: from the name of a file, or from a token.
    var keyID: String?
    var project: String?
    /// The number of a Google project, which is also the sender id of its apps.
    var projectNumber: String?
    var account: String?
    /// The topics of a certificate.
    var grants: [String]?
    /// The topic or the bundle ids of the app.
    var topic: String?
    var bundleIDs: [String] = []
    /// What a JWT's signature covers, and the signature.
    var signed: (message: [UInt8], signature: [UInt8])?
}

/// One inspected input.
package struct Inspected {
    /// What to call the input in a message: its file name, or its kind, as in "the JWT".
    package let label: String
    package internal(set) var report: InspectionReport
    let kind: InspectedKind
    let links: InspectedLinks
    /// Whether the input is of no known kind.
    package var isUnknown: Bool { kind == .unknown }
}
