package import PushCore

/// Why a phone does what it does with a push (docs/evidence/device.md §2.3 and §3.3, docs/evidence/fcm.md §5.4).
/// `PhoneRule+Rows.swift` says everything about each rule.
package enum PhoneRule: UInt8, Sendable, CaseIterable {
    case iosShown, iosForeground, iosLocked, iosProvisional, iosFocus, iosPassive, iosNotAllowed, iosNothing
    case iosCollapsed, iosBadge, iosWoken, iosForceQuit, iosRefreshOff, iosHeld, iosHeldReplaced, iosHeldDropped
    case iosActivity, iosActivityOver, iosActivityOutdated, iosActivityStale, iosActivityDismissed
    case extensionStarted, extensionTimeout, extensionCrash, extensionEmpty
    case attached, attachmentType, attachmentSize, attachmentContent, attachmentURL, mediaSkipped
    case opened, dismissed, acted, launched, forceQuit
    case androidData, androidForeground, androidShown, androidDuplicate, androidNotAllowed, androidChannelOff
    case androidTag, androidImage, androidImageFailed, androidImageSlow, androidOwn
    case webVisible, webShown, webSilent, webNotAllowed, webTag
    case adobeHit

    package var rule: RuleID { Self.rows[Int(rawValue)].id }

    /// The rows in the order of the cases, so that an event finds its own by its number: nothing is built or searched.
    static let rows = allCases.map(\.newRow)
}
