internal import Devices
internal import PushCore
internal import PushEngine
internal import Receivers

/// A push whose line is not complete yet.
struct OpenPush {
    let id: PushID
    private let seq: UInt64
    /// When it was read, on the loop's clock.
    let began: UInt64
    /// Whether it has a line already. It gets a second one when its device has finished, for example when its image has
    /// arrived.
    var hasLine = false
    /// What the first devices do with it.
    private var reports = PushReports(limit: 20)
    private var fault: String?
    /// The time of the newest event.
    private var latest: Timestamp
    private let isForNewDevice: Bool

    /// How many milliseconds a line waits until the devices have finished.
    static let patience: UInt64 = 1000

    init(_ event: Event, _ record: PushRecord, isForNewDevice: Bool, at now: UInt64) {
        self.isForNewDevice = isForNewDevice
        id = record.id
        seq = event.seq
        began = now
        latest = event.time
        reports.add(event)
    }

    mutating func add(_ event: Event) {
        latest = event.time
        if event.kind == .fault, case .fields(let fields) = event.detail {
            if case .string(let name) = fields.first(where: { $0.0 == "fault" })?.1 { fault = name }
            return
        }
        reports.add(event)
    }

    /// Whether a device still has something to do with the push.
    func isWorking(_ engine: borrowing PushEngine) -> Bool {
        for (device, _) in reports.entries where engine.isWorking(on: id, device) { return true }
        return engine.deliveriesLeft(of: id) > 0
    }

    /// Whether a real browser will soon say what became of the push.
    func awaitsReceipt(_ engine: borrowing PushEngine) -> Bool {
        for (device, _) in reports.entries {
            guard let slot = engine.devices.slot(of: device), let receiver = engine.devices[slot].receiver else {
                continue
            }
            if engine.realReceivers.awaitsReceipt(of: id, receiver.token) { return true }
        }
        return false
    }

    private static func name(of device: DeviceID, _ engine: borrowing PushEngine) -> String {
        guard let slot = engine.devices.slot(of: device) else { return "" }
        let name = engine.devices[slot].name
        return name.isEmpty || name == device.description ? engine.devices.platform(at: slot).rawValue : name
    }

    /// Nil if the log has forgotten the push.
    func line(_ engine: borrowing PushEngine, isWorking: Bool) -> PushLine? {
        guard let message = engine.message(seq) else { return nil }
        var line = PushLine(message)
        line.fault = fault
        line.isWorking = isWorking
        line.isForNewDevice = isForNewDevice && !hasLine
        if hasLine { line.laterTime = latest }
        let count = reports.entries.count &+ reports.others &+ engine.deliveriesLeft(of: id)
        line.deviceCount = count
        if count == 1, let only = reports.entries.first {
            line.device = only.device.description
            line.deviceName = Self.name(of: only.device, engine)
        }
        line.reports = reports.entries.map(\.report)
        return line
    }
}
