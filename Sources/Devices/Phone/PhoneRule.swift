package import PushCore

/// The reasons for what a phone does with a push (docs/evidence/device.md §2.3 and §3.3, docs/evidence/fcm.md §5.4).
/// The files `PhoneRule+….swift` define the rules.
package enum PhoneRule: UInt8, Sendable, CaseIterable {
    case iosShown, iosForeground, iosForegroundSilent, iosLocked, iosProvisional, iosFocus, iosNoEntitlement,
        iosPassive, iosNotAllowed, iosNothing
    case iosCollapsed, iosBadge, iosWoken, iosForceQuit, iosRefreshOff, iosHeld, iosHeldReplaced, iosHeldDropped
    case iosActivity, iosActivityOver, iosActivityOutdated, iosActivityStale, iosActivityDismissed
    case iosVoIP, iosCall, iosCallNotReported, iosCallsBlocked, iosPushToTalk, iosChannelLeft
    case iosLocationPush, iosComplication, iosFileProvider, iosWidgets
    case extensionRan, extensionTimeout, extensionCrash, extensionEmpty
    case extensionMissing, extensionNotAllowed, extensionNeedsText, imageIgnored
    case attached, attachmentType, attachmentSize, attachmentContent, attachmentURL, mediaSkipped, mediaInClearText
    case mediaFailed
    case opened, dismissed, acted, launched, forceQuit
    case androidData, androidForeground, androidShown, androidDuplicate, androidNotAllowed, androidChannelOff
    case androidTag, androidNoActivity, androidImage, androidImageFailed, androidImageSlow, androidOwn
    case webVisible, webShown, webSilent, webNotAllowed, webTag, webNoLink, webPush, webDeclarative
    case adobeHit

    package var rule: RuleID { Self.rows[Int(rawValue)].id }

    /// The rows in the order of the cases, so that the raw value of a case is the index of its row.
    static let rows = allCases.compactMap { $0.row ?? $0.googleRow }
}
