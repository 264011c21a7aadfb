/// The tags of the DER elements that Pushpit reads or writes.
enum DERTag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case null = 0x05
    case utf8String = 0x0C
    case sequence = 0x30
    /// `[0]` of an AuthorityKeyIdentifier: the key's identifier.
    case keyIdentifier = 0x80
    /// `[2]` of a GeneralName: a DNS name.
    case dnsName = 0x82
    /// `[7]` of a GeneralName: 4 or 16 address bytes.
    case ipAddress = 0x87
}
