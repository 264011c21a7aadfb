internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// `POST /devices`: first all checks, then the devices. If another call uses one of the ids in the meantime, or fills
/// up the gateway's limit of devices, the devices of this call are deleted again, and the answer says so.
final class DeviceCreation: SlicedCall {
    private enum Step {
        case checking
        case making
        case deleting(ControlProblem)
    }

    private var spec: DeviceSpec
    /// The id of the only device, or what the ids of all devices begin with.
    private let id: DeviceID?
    private let isNumbered: Bool
    private let count: Int
    private var step = Step.checking
    /// The number of the next device to check or to make.
    private var number = 1
    private var made: [DeviceRef] = []
    private var json: JSONWriter
    /// About the length of a device in the answer, rounded up.
    private static let bytesPerDevice = 2048

    /// - Parameter count: nil for one device without a number.
    init(_ spec: DeviceSpec, count: Int?) {
        self.spec = spec
        id = spec.id
        isNumbered = count != nil
        self.count = count ?? 1
        // So that a long answer is not copied each time that it has outgrown its memory.
        var answer: [UInt8] = []
        answer.reserveCapacity(self.count * Self.bytesPerDevice)
        json = JSONWriter(appendingTo: answer)
        json.beginObject()
        json.key("devices")
        json.beginArray()
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        do throws(ControlProblem) {
            while true {
                switch step {
                case .checking: try checkNext(host)
                case .making: if let reply = makeNext(host) { return reply }
                case .deleting(let problem):
                    guard let device = made.popLast() else { throw problem }
                    if let slot = host.box.engine.devices.slot(of: device) {
                        host.box.engine.deleteDevice(slot, at: host.now)
                    }
                }
                if case .making = step, number == 1 { continue }
                if host.isTurnOver { return nil }
            }
        } catch {
            host.scheduleWork()
            return .answer(error.response)
        }
    }

    private func checkNext(_ host: any ControlHost) throws(ControlProblem) {
        if number == 1 {
            try ControlAPI.convertingProblems { () throws(DeviceProblem) in
                try host.box.engine.devices.requireUnusedTokens(spec, at: "")
            }
        }
        // Generated ids are never taken.
        if id != nil, number <= count {
            if let taken = takenID(host) { throw Self.conflict("The device '\(taken)' already exists.") }
            number += 1
            if number <= count { return }
        }
        let room = host.box.engine.devices.room
        guard count <= room else {
            throw Self.full("There is room for \(room) more devices, and this call asks for \(count).")
        }
        (step, number) = (.making, 1)
    }

    private func makeNext(_ host: any ControlHost) -> ControlAPI.Reply? {
        spec.id = nextID
        let noun = made.count == 1 ? "device" : "devices"
        let ending = made.isEmpty ? "" : " \(made.count) \(noun) that this call had already made will be deleted again."
        if let taken = takenID(host) {
            step = .deleting(Self.conflict("Meanwhile, another call has made the device '\(taken)'.\(ending)"))
        } else if let slot = host.box.engine.makeDevice(spec, at: host.now) {
            ControlAPI.writeDevice(slot, host, to: &json)
            made.append(host.box.engine.devices.reference(to: slot))
            number += 1
            if number > count { return answer(host) }
        } else {
            step = .deleting(Self.full("Meanwhile, the gateway has reached its limit of devices.\(ending)"))
        }
        return nil
    }

    private func answer(_ host: any ControlHost) -> ControlAPI.Reply {
        json.endArray()
        json.endObject()
        host.scheduleWork()
        return .answer(.json(json.takeBytes(), status: 201))
    }

    /// The id of the next device; nil if one is generated.
    private var nextID: DeviceID? { isNumbered ? id.map { DeviceID("\($0)-\(number)") } : id }

    /// The id of the next device, if there is a device with it already.
    private func takenID(_ host: any ControlHost) -> DeviceID? {
        nextID.flatMap { host.box.engine.devices.slot(of: $0) == nil ? nil : $0 }
    }

    private static func conflict(_ message: String) -> ControlProblem {
        ControlProblem(status: 409, code: "conflict", message: message, pointer: "/id")
    }

    private static func full(_ message: String) -> ControlProblem {
        ControlProblem(status: 409, code: "tooMany", message: "\(message) Delete some first.")
    }
}
