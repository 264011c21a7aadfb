/// The kinds of device tokens that an iPhone has besides the app's own token and those of Live Activities
/// (docs/evidence/apns.md §2.2, documented). The raw values are the names of the members of a device's `tokens` in the
/// control API.
package enum TokenKind: String, Sendable, CaseIterable {
    case voip, ptt, location, complication, fileprovider, widgets
}
