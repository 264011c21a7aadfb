import Devices
import JSON
import PushCore
import Testing

/// What one device did with one push, told from its events.
@Suite struct DeviceReportTests {
    private typealias Step = (kind: Event.Kind, why: String, data: String)

    private static func report(_ steps: [Step]) throws -> DeviceReport {
        var report = DeviceReport()
        for step in steps {
            let data = step.data.isEmpty ? nil : try JSONDocument(parsing: Array(step.data.utf8)).root
            report.add(step.kind, why: step.why, data)
        }
        return report
    }

    private static let shown: Step = (.presented, "ios.shown", #"{"key":"n1","title":"T"}"#)
    private static let arrived: Step = (.delivered, "apns.delivered", "")
    private static let started: Step = (.extension, "ios.extension", #"{"script":"firebase","phase":"started"}"#)

    private static let stories: [(steps: [Step], did: String, obstacle: String?)] = [
        ([], "", nil),
        ([arrived], "delivered", nil),
        ([arrived, shown], "presented", nil),
        ([arrived, (.presented, "ios.shown", #"{"sound":"default"}"#)], "sound played", nil),
        ([arrived, (.presented, "ios.activity", #"{"activity":"Ride","event":"start"}"#)], "presented", nil),
        ([arrived, (.presented, "ios.activity", #"{"activity":"Ride","sound":"default"}"#)], "presented", nil),
        ([arrived, (.presented, "ios.call", #"{"call":"incoming"}"#)], "presented", nil),
        ([arrived, (.badge, "ios.badge", #"{"badge":3}"#)], "badge 3", nil),
        ([arrived, shown, (.badge, "ios.badge", #"{"badge":3}"#)], "presented", nil),
        (
            [arrived, (.callback, "ios.woken", #"{"name":"didReceiveRemoteNotification"}"#)],
            "didReceiveRemoteNotification called", nil
        ),
        (
            [
                arrived, (.callback, "", #"{"name":"a"}"#), (.callback, "", #"{"name":"b"}"#),
                (.callback, "", #"{"name":"a"}"#),
            ],
            "a and b called", nil
        ),
        (
            [arrived, (.suppressed, "ios.not-allowed", "")], "suppressed: the person does not allow notifications",
            "ios.not-allowed"
        ),
        (
            [arrived, (.callback, "ios.woken", #"{"name":"a"}"#), (.suppressed, "ios.force-quit", "")], "a called", nil
        ),
        ([(.stored, "apns.stored-offline", "")], "waiting: the device is offline", "apns.stored-offline"),
        ([(.stored, "apns.stored-offline", ""), arrived, shown], "presented", nil),
        (
            [(.stored, "apns.stored-offline", ""), (.dropped, "apns.overwritten", #"{"by":"p2"}"#)],
            "dropped: Another push for the device arrived while this one waited", "apns.overwritten"
        ),
        (
            [(.collapsed, "fcm.collapsed", "")],
            "dropped: another message with the same collapse key arrived while this one waited, or messages with four other keys arrived: Google keeps only four keys",
            "fcm.collapsed"
        ),
        ([(.dropped, "no.such-rule", "")], "dropped", nil),
        ([arrived, started], "the extension is still working", nil),
        ([arrived, started, (.extension, "ios.extension", #"{"phase":"finished"}"#), shown], "presented", nil),
        ([arrived, shown, (.opened, "person.opened", #"{"notification":"n1"}"#)], "presented", nil),
    ]

    @Test(arguments: stories.indices) func `the last thing that matters counts`(index: Int) throws {
        let (steps, did, obstacle) = Self.stories[index]
        let report = try Self.report(steps)
        #expect(report.did == did)
        #expect(report.obstacle?.id.description == obstacle)
        #expect(report.missingImage == nil)
    }

    /// The event before `presented`, and the answer to why there is no image; nil if there is one.
    private static let images: [(step: Step, reason: String?)] = [
        ((.attachment, "ios.attachment", #"{"url":"u","outcome":"attached"}"#), nil),
        ((.attachment, "android.image", #"{"url":"u","outcome":"shown"}"#), nil),
        (
            (.attachment, "ios.no-extension", #"{"url":"u","outcome":"skipped"}"#),
            "the app has no notification service extension"
        ),
        ((.attachment, "ios.not-mutable", #"{"url":"u","outcome":"skipped"}"#), "mutable-content is not 1"),
        (
            (.attachment, "ios.alert-not-a-dictionary", #"{"url":"u","outcome":"skipped"}"#),
            "the alert is not a dictionary with text, so the extension does not run"
        ),
        (
            (.attachment, "ios.image-ignored", #"{"outcome":"skipped"}"#),
            "the app's extension does not read the key that names it"
        ),
        (
            (.attachment, "fetch.skipped", #"{"url":"u","outcome":"skipped"}"#),
            "u is not in the media table, and --fetch-media is 'off'"
        ),
        (
            (
                .attachment, "fetch.skipped",
                #"{"url":"u","outcome":"skipped","message":"a.test is not this machine, and --fetch-media is 'loopback'"}"#
            ),
            "u is not in the media table; a.test is not this machine, and --fetch-media is 'loopback'"
        ),
        (
            (.attachment, "fetch.skipped", #"{"outcome":"skipped","message":"it is not on this machine"}"#),
            "it is not on this machine"
        ),
        (
            (.attachment, "fetch.http", #"{"outcome":"failed","message":"m"}"#),
            "the URL uses http, which the app does not allow"
        ),
        (
            (.attachment, "ios.attachment-size", #"{"outcome":"failed","size":12340000}"#),
            "the file is too large (12.3 MB)"
        ),
        ((.attachment, "ios.attachment-size", #"{"outcome":"failed"}"#), "the file is too large"),
        (
            (.attachment, "ios.attachment-type", #"{"outcome":"failed","contentType":"image/webp","status":200}"#),
            "the file has no type that attachments support (image/webp)"
        ),
        (
            (.attachment, "ios.attachment-content", #"{"outcome":"failed","contentType":"text/html","status":404}"#),
            "the server answered 404"
        ),
        (
            (.attachment, "android.image-failed", #"{"outcome":"failed","message":"Failed to decode image"}"#),
            "Failed to decode image"
        ),
        ((.attachment, "android.image-slow", #"{"outcome":"failed"}"#), "it took longer than five seconds"),
        ((.attachment, "no.such-rule", #"{"outcome":"failed"}"#), "no.such-rule"),
        (
            (.extension, "ios.extension-timeout", #"{"phase":"original"}"#),
            "the extension did not finish within 30 seconds"
        ),
        ((.extension, "ios.extension-crash", #"{"phase":"original"}"#), "the extension crashed"),
    ]

    @Test(arguments: images.indices) func `why there is no image has an answer`(index: Int) throws {
        let (step, reason) = Self.images[index]
        let unshown = try Self.report([Self.arrived, Self.started, step])
        #expect(unshown.missingImage == nil, "nothing is shown yet")
        let report = try Self.report([Self.arrived, Self.started, step, Self.shown])
        #expect(report.missingImage?.reason == reason)
        #expect(report.did == (reason == nil ? "presented with its image" : "presented"))
        if let missing = report.missingImage, missing.rule != "no.such-rule" {
            #expect(missing.rule == step.why && missing.remedy?.isEmpty == false)
        }
    }

    @Test func `a script that attaches nothing explains nothing`() throws {
        let slow: Step = (.extension, "ios.extension", #"{"script":"slow","phase":"started"}"#)
        let late: Step = (.extension, "ios.extension-timeout", #"{"phase":"original"}"#)
        #expect(try Self.report([Self.arrived, slow, late, Self.shown]).missingImage == nil)
    }

    @Test func `every rule that leaves out an image has a reason in few words`() {
        let rules = DeviceRules.all.map(\.id.description).filter { rule in
            ["ios.attachment-", "ios.image-", "ios.no-ext", "ios.not-mut", "ios.alert-", "fetch.", "android.image-"]
                .contains { rule.hasPrefix($0) }
        }
        #expect(rules.count >= 12)
        for rule in rules {
            let report = try? Self.report([(.attachment, rule, #"{"outcome":"failed"}"#), Self.shown])
            let meaning = DeviceRules.all.first { $0.id.description == rule }?.meaning.firstSentence
            #expect(report?.missingImage?.reason != meaning, "\(rule)")
        }
    }
}
