import HTTPCore
import PushCore

@testable import Gateway

extension AccessPolicy {
    init(allowedHosts: [String] = [], allowedOrigins: [String] = [], apiToken: String? = nil) {
        self.init(
            hosts: HostNames(allowedHosts), origins: allowedOrigins.compactMap(WebOrigin.init), apiToken: apiToken)
    }

    /// A planner of the requests of one connection.
    func planner(_ role: Role = .any, isLoopback: Bool = true) -> RequestPlanner {
        RequestPlanner(
            self, ConnectionFacts(role: role, environment: .production, isLoopback: isLoopback, isTLS: false))
    }
}
