import HTTPCore
import PushCore

@testable import Routing

extension AccessPolicy {
    init(allowedHosts: [String] = [], allowedOrigins: [String] = [], apiToken: String? = nil) {
        self.init(
            hosts: HostNames(allowedHosts), origins: allowedOrigins.compactMap(WebOrigin.init), apiToken: apiToken)
    }

    /// A planner of the requests of one connection.
    func planner(_ role: Role = .any, isLoopback: Bool = true) -> RequestPlanner {
        RequestPlanner(self, role: role, isLoopback: isLoopback)
    }
}
