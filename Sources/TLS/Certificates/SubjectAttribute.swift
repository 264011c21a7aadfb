internal import COpenSSL

/// The attributes of a certificate's subject that Pushpit reads or writes.
package enum SubjectAttribute: Sendable {
    case commonName
    /// 0.9.2342.19200300.100.1.1. In Apple's certificates it is the app's bundle id, which is the default topic.
    case userID

    var identifier: Int32 {
        switch self {
        case .commonName: NID_commonName
        case .userID: NID_userId
        }
    }
}
