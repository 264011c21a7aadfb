package import PushCore
internal import TLS

/// An inspection in steps. Opening a PKCS#12 file takes several, and the gateway can do other work between them.
package final class GradualInspection {
    private let input: InspectionInput
    private let opener = FileOpener()

    package init(_ input: InspectionInput) { self.input = input }

    /// Takes the next step. Returns nil as long as steps are left.
    package func advance(at now: Timestamp) -> Inspected? {
        if let opening = opener.opening, opening.contents == nil {
            opening.advance()
            return nil
        }
        let inspected = Inspector.inspect(input, opener, at: now)
        return opener.isOpening ? nil : inspected
    }
}

/// Keeps the PKCS#12 file of an inspection, while it is opened and afterwards.
final class FileOpener {
    private(set) var opening: PKCS12.Opening?

    /// Whether the file has to be opened before the inspection can be completed.
    var isOpening: Bool { opening.map { $0.contents == nil } ?? false }

    /// What is in the file; nil while it is being opened.
    func contents(of der: [UInt8], _ input: InspectionInput) throws(PKCS12.OpeningFailure) -> PKCS12.Contents? {
        if opening == nil {
            opening = try PKCS12.Opening(der, passwords: input.passwords, limits: input.derivation)
        }
        return try opening?.contents?.get()
    }
}
