import JSON
import Testing

@testable import pushpit

/// What `exec` says at the end.
@Suite struct ExecSummaryTests {
    private static let refused =
        #"{"provider":"fcm","status":400,"reason":"INVALID_ARGUMENT","findings":[{"severity":"note","message":"N."},{"severity":"error","message":"It is no token."}]}"#

    @Test(
        arguments: [
            (0, 0, nil, "No push was caught. --log-level info shows other requests and connections."),
            (1, 0, nil, "1 push was caught."), (2, 0, nil, "2 pushes were caught."),
            (
                2, 1, refused,
                "3 pushes were caught, 1 of them refused (the last: fcm 400 INVALID_ARGUMENT: It is no token). --log-level info shows each."
            ),
            (
                0, 1, #"{"provider":"apns","status":410,"reason":"a\u0007"}"#,
                #"1 push was caught, and refused (the last: apns 410 a\u0007). --log-level info shows each."#
            ),
            (0, 2, nil, "2 pushes were caught, all of them refused. --log-level info shows each."),
        ] as [(Int64, Int64, String?, String)])
    func `pushes are counted, and a refusal is explained`(
        accepted: Int64, refused: Int64, newest: String?, text: String
    ) throws {
        var summary = ExecSummary(accepted: accepted, refused: refused, detailSource: "--log-level info")
        summary.newestRefusal = try newest.map { try JSONDocument(parsing: Array($0.utf8)).root }
        #expect(summary.text == "pushpit: \(text)")
    }

    @Test(
        arguments: [
            (
                0, [(.missingImage, 1), (.dropped, 0)],
                "2 pushes were caught. 1 image was not shown. The log shows each."
            ),
            (
                1, [(.missingImage, 3), (.dropped, 1)],
                "3 pushes were caught, 1 of them refused. 3 images were not shown. 1 push was accepted and then dropped. The log shows each."
            ),
            (
                0, [(.dropped, 2), (.uncheckedCredentials, 1)],
                "2 pushes were caught. 2 pushes were accepted and then dropped. 1 push was sent with a key or token that the gateway does not know; --auth strict refuses that. The log shows each."
            ),
        ] as [(Int64, [(ExecSummary.Remark, Int64)], String)])
    func `what the status does not show is counted`(
        refused: Int64, remarks: [(ExecSummary.Remark, Int64)], text: String
    ) {
        var summary = ExecSummary(accepted: 2, refused: refused, detailSource: "The log")
        summary.remarks = remarks.map { (remark: $0.0, count: $0.1) }
        #expect(summary.text == "pushpit: \(text)")
    }

    @Test(
        arguments: [(1, "1 push was deleted", "it"), (2, "2 pushes were deleted", "them")] as [(Int64, String, String)])
    func `pushes that were deleted are counted`(count: Int64, subject: String, pronoun: String) {
        var summary = ExecSummary(accepted: 2, refused: 0, detailSource: "The log")
        summary.deleted = count
        let deletion = "Meanwhile, \(subject) (POST /reset, DELETE /messages), so no expectation could see \(pronoun)."
        #expect(summary.text == "pushpit: 2 pushes were caught. \(deletion)")
    }

    @Test func `a log that was printed is not mentioned`() {
        #expect(ExecSummary(accepted: 0, refused: 0, detailSource: nil).text == "pushpit: No push was caught.")
        #expect(
            ExecSummary(accepted: 0, refused: 2, detailSource: nil).text
                == "pushpit: 2 pushes were caught, all of them refused."
        )
    }
}
