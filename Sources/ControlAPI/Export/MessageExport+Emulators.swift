internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Exports a push as a command that shows it on Apple's simulator or on an Android emulator.
extension MessageExport {
    /// Ends the payload in the command. No line of the payload is this word, because each line of an indented JSON object
    /// begins with a bracket, a quote or a space.
    private static let endOfPayload = "EOF"
    /// If the message does not name an app, the command takes it from this variable.
    private static let appVariable = #""$APP""#
    /// How many devices of a push are looked at to find its app.
    private static let maxDevices = 1000

    /// The app on this platform. Nil if it is unknown, for example because the message went to a topic and reached no device of the platform.
    func app(on platform: Device.Platform) -> String? {
        if isAPNs { return platform == .ios ? message.event.app : nil }
        for device in message.devices.prefix(Self.maxDevices) {
            guard let slot = host.box.engine.devices.slot(of: device),
                host.box.engine.devices.platform(at: slot) == platform
            else { continue }
            return host.box.engine.devices.app(at: slot)
        }
        return nil
    }

    /// A command for the booted simulator of Xcode (docs/evidence/device.md §5, documented).
    func simctl() throws(ControlProblem) -> String {
        let app = app(on: .ios).map(ShellText.quoted) ?? Self.appVariable
        let payload = String(decoding: try apns(), as: UTF8.self)
        return """
            xcrun simctl push booted \(app) - <<'\(Self.endOfPayload)'
            \(payload)
            \(Self.endOfPayload)

            """
    }

    /// A command that broadcasts the intent of Google Play services, with the extras that Firebase's SDK reads
    /// (docs/evidence/device.md §3.1, from its source). Only root may send that broadcast (docs/evidence/device.md §5).
    func adb() throws(ControlProblem) -> String {
        guard !isAPNs else {
            throw conflict("\(message.record.id) is a push to APNs, which Android does not get. Use as=simctl.")
        }
        let app = app(on: .android)
        // Two shells read the text: first that of this machine, then that of the emulator.
        let start = "am broadcast -a com.google.android.c2dm.intent.RECEIVE -n "
        var rest = "/com.google.firebase.iid.FirebaseInstanceIdReceiver"
        for (name, value) in try androidExtras(for: app ?? message.event.app).members {
            let key = name.string ?? ""
            let (option, text) = value.int64.map { (Self.option(for: $0), String($0)) } ?? ("--es", value.string ?? "")
            guard !key.utf8.contains(0), !text.utf8.contains(0) else {
                throw conflict("\(message.record.id) contains the character NUL, which no command can contain.")
            }
            rest += " \(option) \(ShellText.quoted(key)) \(ShellText.quoted(text))"
        }
        let command =
            app.map { ShellText.quoted("\(start)\(ShellText.quoted($0))\(rest)") }
            ?? "\(ShellText.quoted(start))\(Self.appVariable)\(ShellText.quoted(rest))"
        return "adb root && adb wait-for-device && adb shell \(command)\n"
    }

    /// The SDK reads the time as a long, and the time to live as an int or a string.
    private static func option(for number: Int64) -> String { Int32(exactly: number) == nil ? "--el" : "--ei" }

    private func androidExtras(for app: String) throws(ControlProblem) -> JSONView {
        var payload = FCMPayload(message.request.body)
        payload?.name = message.record.name
        payload?.sentTime = message.event.time.milliseconds
        var json = JSONWriter()
        if let payload { payload.writeAndroid(app: app, to: &json) }
        guard payload != nil, let extras = (try? JSONDocument(parsing: json.finish()))?.root["extras"] else {
            throw conflict("\(message.record.id) is not a valid message to FCM, so it contains nothing for Android.")
        }
        return extras
    }
}
