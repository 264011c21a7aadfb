internal import CTrace
internal import Glibc

/// One call of `ctrace_run`. It owns the strings that the C code uses, so they live as long as the call.
struct TraceCall: ~Copyable {
    private let arguments: CStringList
    private let environment: CStringList
    private let files: CStringList
    private let bundles: CStringList
    private let defaultBundles: CStringList
    private let redirection: SupervisedCommand.Redirection?
    private let stillRuns: SupervisedCommand.StillRuns?
    private let output: CommandOutput?

    init(_ command: SupervisedCommand) {
        redirection = command.redirection
        stillRuns = command.stillRuns
        output = command.output
        arguments = CStringList(command.arguments)
        environment = CStringList(command.environment)
        files = CStringList([redirection?.hostsFile ?? "", redirection?.authorityFile ?? ""].map { Array($0.utf8) })
        bundles = CStringList((redirection?.bundles ?? []).map { Array($0.utf8) })
        defaultBundles = CStringList((redirection?.defaultBundles ?? []).map { Array($0.utf8) })
    }

    func run() -> CommandEnd {
        var options = unsafe ctrace_options()
        unsafe options.argv = arguments.pointer
        unsafe options.envp = environment.pointer
        unsafe options.hosts_file = files.pointer?[0]
        unsafe options.authority_file = files.pointer?[1]
        unsafe options.bundles = bundles.pointer
        unsafe options.default_bundles = defaultBundles.pointer
        unsafe options.address = redirection?.address ?? 0
        unsafe options.gateway_port = redirection?.port ?? 0
        unsafe options.untraced = redirection == nil
        unsafe options.still_runs = stillRuns
        unsafe options.output = output?.end ?? 0
        var stage = CTRACE_NONE
        let status = unsafe ctrace_run(&options, &stage)
        return status < 0 ? Self.failure(in: stage, errno) : CommandEnd(status: status)
    }

    private static func failure(in stage: ctrace_stage, _ error: Int32) -> CommandEnd {
        switch stage {
        case CTRACE_EXEC: .notExecuted(error: error)
        case CTRACE_SECCOMP: .notSupervised(error: error)
        case CTRACE_LOST: .lost
        default: .notStarted(error: error)
        }
    }
}
