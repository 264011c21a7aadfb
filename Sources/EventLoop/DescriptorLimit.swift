internal import Glibc

/// The limit of file descriptors of this process.
package enum DescriptorLimit {
    /// Descriptors that are kept for files, timers and listeners.
    private static let reserve = 64

    /// Raises the limit as far as the system allows, so that ten thousand devices can connect.
    package static func raise() {
        guard var limit = current else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of connections that leave enough descriptors for everything else.
    package static var connections: Int { connections(of: Int(clamping: current?.rlim_cur ?? 1024)) }

    package static func connections(of limit: Int) -> Int { max(1, limit - min(reserve, limit / 2)) }

    private static var current: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}
