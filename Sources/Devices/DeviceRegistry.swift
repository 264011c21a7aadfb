package import PushCore

/// Every device, found by its id and by its tokens. Devices stay for good, so a place in the list names one too.
package struct DeviceRegistry: Sendable {
    private var devices: [Device] = []
    private var byID: [DeviceID: Int] = [:]
    private var byAPNsToken: [DeviceToken: Int] = [:]
    private var minted = 0

    package init() {}

    package var count: Int { devices.count }

    package subscript(place: Int) -> Device { devices[place] }

    /// The id alone, without a copy of the whole device.
    package func id(at place: Int) -> DeviceID { devices[place].id }

    package func place(of id: DeviceID) -> Int? { byID[id] }

    package func place(apnsToken: DeviceToken) -> Int? { byAPNsToken[apnsToken] }

    /// Makes a device with tokens of its own. Nil where the spec says too little.
    package mutating func make(_ spec: DeviceSpec, using generator: inout some RandomNumberGenerator) -> Int? {
        guard let platform = spec.platform, let app = spec.app else { return nil }
        let id = spec.id ?? mintID()
        let token = platform == .ios ? DeviceToken(using: &generator) : nil
        return insert(
            Device(
                id: id, platform: platform, app: app, name: spec.name ?? id.description, apnsToken: token,
                isImplicit: false))
    }

    /// Makes the device that a push to an unknown token stands for.
    package mutating func makeImplicit(apnsToken: DeviceToken, app: String) -> Int {
        let id = mintID()
        return insert(
            Device(
                id: id, platform: .ios, app: app, name: id.description, apnsToken: apnsToken, isImplicit: true))
    }

    private mutating func insert(_ device: Device) -> Int {
        let place = devices.count
        devices.append(device)
        byID[device.id] = place
        if let token = device.apnsToken { byAPNsToken[token] = place }
        return place
    }

    private mutating func mintID() -> DeviceID {
        repeat { minted += 1 } while byID[DeviceID("d\(minted)")] != nil
        return DeviceID("d\(minted)")
    }
}
