import JSON
import Testing

@testable import pushpit

/// What `exec` says at the end.
@Suite struct ExecSummaryTests {
    private let more = "--log-level info shows each."
    private static let refused =
        #"{"provider":"fcm","status":400,"reason":"INVALID_ARGUMENT","findings":[{"severity":"note","message":"N."},{"severity":"error","message":"It is no token."}]}"#

    @Test(
        arguments: [
            (0, 0, nil, "No push was caught."), (1, 0, nil, "1 push was caught."), (2, 0, nil, "2 pushes were caught."),
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
        let push = try newest.map { try JSONDocument(parsing: Array($0.utf8)).root }
        #expect(
            ExecGateway.summary(accepted: accepted, refused: refused, newest: push, more: more) == "pushpit: \(text)")
    }

    @Test(
        arguments: [
            (0, 1, "2 pushes were caught. 1 image was not shown. --log-level info shows each."),
            (1, 3, "3 pushes were caught, 1 of them refused. 3 images were not shown. --log-level info shows each."),
        ] as [(Int64, Int64, String)])
    func `images that were not shown are counted`(refused: Int64, images: Int64, text: String) {
        #expect(
            ExecGateway.summary(accepted: 2, refused: refused, newest: nil, missingImages: images, more: more)
                == "pushpit: \(text)"
        )
    }
}
