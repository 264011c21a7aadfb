internal import COpenSSL

/// The parts of a certificate's subject that are written or read here.
package enum SubjectAttribute: Sendable {
    case commonName
    /// 0.9.2342.19200300.100.1.1: Apple puts the app's bundle id, which is the default topic, here.
    case userID

    var identifier: Int32 {
        switch self {
        case .commonName: NID_commonName
        case .userID: NID_userId
        }
    }
}
