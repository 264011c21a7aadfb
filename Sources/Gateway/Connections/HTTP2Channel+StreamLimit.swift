internal import Faults
internal import HTTP2
internal import PushCore
internal import PushEngine
internal import Routing

/// A stream limit that a fault has set.
struct FaultLimit {
    let fault: Fault
    /// The limit before the fault.
    let before: UInt32
    /// Whether only the end of the fault restores the limit. Otherwise a successful answer restores it too.
    let lastsUntilFaultEnds: Bool
}

/// The stream limit of a connection. APNs changes it after answers, and faults change it.
extension HTTP2Channel {
    func advertise(_ limit: UInt32) {
        advertised = limit
        server.advertise(maxConcurrentStreams: limit)
    }

    /// Like APNs, limits a connection with provider tokens to `initialStreamLimit` until a push is accepted, and again
    /// after a refusal with a 4xx status other than 410 (docs/evidence/apns.md §1.4).
    func adjustStreamLimit(after status: Int) {
        if faultLimit?.lastsUntilFaultEnds == true { return }
        let configuration = connection.gateway.configuration
        guard connection.facts.role == .apns, connection.facts.clientCertificate == nil else {
            if status == 200 { restoreStreamLimit() }
            return
        }
        let isRefusal = (400..<500).contains(status) && status != 410 && configuration.limitsStreamsAfterRefusal
        let wanted =
            status == 200 ? configuration.streamLimit : isRefusal ? configuration.initialStreamLimit : advertised
        guard wanted != advertised else { return }
        faultLimit = nil
        advertise(wanted)
    }

    private func restoreStreamLimit() {
        guard let limit = faultLimit?.before else { return }
        faultLimit = nil
        if limit != advertised { advertise(limit) }
    }

    func restoreStreamLimitIfFaultEnded() {
        if let faultLimit, faultLimit.fault.hasEnded(at: connection.gateway.clock.now) { restoreStreamLimit() }
    }

    func limitStreams(to limit: UInt32, by fault: Fault) {
        faultLimit = FaultLimit(fault: fault, before: faultLimit?.before ?? advertised, lastsUntilFaultEnds: limit == 0)
        advertise(limit)
    }
}
