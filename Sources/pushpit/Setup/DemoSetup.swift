internal import ControlAPI
internal import Gateway
internal import Platform
internal import PushCore
internal import PushEngine

/// `--demo`.
enum DemoSetup {
    static func isWanted(_ options: Options, with seed: SeedFile?) throws(ExitFailure) -> Bool {
        guard try options.choice("demo", Switch.self) == .on else { return false }
        guard seed == nil else {
            throw ExitFailure(code: 64, message: "--demo and --seed both set up the gateway; use one of them")
        }
        return true
    }

    /// Fills a gateway that does not run yet, unless `--data` has restored something.
    static func apply(to gateway: Gateway) throws(ExitFailure) {
        guard gateway.box.engine.isUntouched else {
            return gateway.log(
                .info, "demo not used", at: gateway.clock.now,
                ["because": "--data had something already; with an empty directory, the gateway begins with the demo"])
        }
        do throws(ControlProblem) { try Demo.fill(gateway) } catch {
            throw ExitFailure(code: 70, message: "--demo failed at \(error.pointer ?? ""): \(error.message)")
        }
        gateway.saveAll()
    }
}
