/// Why Apple may accept a background push, but then delay or drop it (docs/evidence/apns.md §2.1, documented).
package struct BackgroundMistakes: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The priority is 10.
    package static let priority = BackgroundMistakes(rawValue: 1)
    /// `apns-push-type` says background or alert, and the payload says the opposite.
    package static let pushType = BackgroundMistakes(rawValue: 2)
}

extension PayloadCheck {
    /// Compares the push type and the priority with what the payload does.
    mutating func checkBackground() {
        let isSilent = wakesApp && !isVisible
        if kind == .background {
            if isVisible { note(.alertInBackground, "/aps", "A background push carries an alert, a badge or a sound") }
            if !wakesApp {
                note(
                    .backgroundWithoutWaking, "/aps/content-available", "A background push lacks 'content-available' 1")
            }
            if isVisible || !wakesApp { backgroundMistakes.insert(.pushType) }
        } else if kind == .alert, isSilent {
            note(.nothingInAlert, "/aps", "An alert push has 'content-available', but no alert, badge or sound")
            backgroundMistakes.insert(.pushType)
        }
        guard priority == 10, kind == .background || isSilent && (kind == nil || kind == .alert) else { return }
        note(.backgroundPriority, "headers/apns-priority", "A background push has priority 10")
        backgroundMistakes.insert(.priority)
    }
}
