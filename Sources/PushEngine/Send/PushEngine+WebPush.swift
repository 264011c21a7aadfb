internal import Devices
internal import HTTPCore
package import PushCore
package import Receivers

/// Web pushes: each push service decides, and its receiver gets what is accepted.
extension PushEngine {
    /// The number for a web push that has come.
    package mutating func nextWebPush() -> PushID { nextRequestID() }

    /// - Parameter base: the gateway's URL, as the sender knows it.
    package mutating func send(_ push: WebPush, base: String) -> WebPushAnswer {
        do throws(WebPushRefusal) {
            let endpoint = real.endpoint(push.token, push.service)
            let terms = try push.service.check(push, endpoint, verifyWebPush)
            record(push, status: 201)
            let id = real.add(push, terms)
            applyReceiverNews(at: push.now)
            return WebPushAnswer(response: push.service.acceptance(of: push, id: id, terms, base: base))
        } catch {
            record(push, status: error.response.status, error)
            return WebPushAnswer(error)
        }
    }

    mutating func record(_ push: WebPush, status: Int, _ refusal: WebPushRefusal? = nil) {
        let device = slot(ofSubscription: push.token)
        if refusal == nil { metrics.accepted += 1 } else { metrics.refused += 1 }
        let verdict = RecordedVerdict(
            kind: refusal == nil ? .accepted : .refused, provider: .webpush,
            app: device.map { devices.app(at: $0) } ?? "", device: device.map { devices.id(at: $0) }, status: status,
            reason: refusal?.reason, why: refusal?.rule.id,
            findings: refusal.map { [Finding($0.rule.id.description, .error, at: "", $0.rule.meaning)] } ?? [])
        record(verdict, PushContext(push.request, id: push.id, at: push.now))
    }
}
