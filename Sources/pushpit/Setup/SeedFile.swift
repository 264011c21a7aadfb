internal import ControlAPI
internal import Gateway
internal import Platform
internal import PushCore
internal import PushEngine

/// The file of `--seed`.
struct SeedFile {
    private let path: String
    private let seed: Seed

    /// Nil if the option is not set.
    init?(_ options: Options) throws(ExitFailure) {
        guard let path = try options.text("seed") else { return nil }
        try self.init(path, try Send.read(path))
    }

    init(_ path: String, _ bytes: [UInt8]) throws(ExitFailure) {
        self.path = path
        do throws(ControlProblem) { seed = try Seed(bytes) } catch { throw Self.failure(error, path) }
    }

    /// Sets up a gateway that does not run yet, and saves that with `--data`. What `--data` has restored stays as it is,
    /// so a restart does not set up everything a second time.
    func apply(to gateway: Gateway) throws(ExitFailure) {
        guard gateway.box.engine.isUntouched else {
            return gateway.log(
                .info, "seed not used", at: gateway.clock.now,
                [
                    "file": path,
                    "because": "--data had something already; with an empty directory, the file sets up the gateway",
                ])
        }
        do throws(ControlProblem) { try seed.apply(to: gateway) } catch { throw Self.failure(error, path) }
        gateway.saveAll()
    }

    private static func failure(_ problem: ControlProblem, _ path: String) -> ExitFailure {
        let place = problem.pointer.flatMap { $0.isEmpty ? nil : " at \($0.onOneLine)" } ?? ""
        return ExitFailure(code: 65, message: "--seed \(path.onOneLine) cannot be used\(place): \(problem.message)")
    }
}
