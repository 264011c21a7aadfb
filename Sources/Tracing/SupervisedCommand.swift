internal import CTrace

/// A command that this process starts and waits for. The command gets the signals that this process gets.
package struct SupervisedCommand {
    /// The name or path of the program, and its arguments. A name without a slash is searched for in the command's PATH.
    package var arguments: [[UInt8]]
    /// The command's variables, each as `NAME=VALUE`.
    package var environment: [[UInt8]]
    /// How the command's look-ups and connections are redirected. Nil leaves them alone.
    package var redirection: Redirection?
    /// Where the command's output goes. Without it, the command shares this process's terminal, input and output.
    package var output: CommandOutput?

    /// Called once if the command, whose process has this number, still runs some seconds after SIGTERM.
    package var stillRuns: StillRuns?
    package typealias StillRuns = @convention(c) (_ process: Int32, _ seconds: Int32) -> Void

    /// What a supervisor changes for the command: its look-ups, its connections and the CA bundles that it opens.
    package struct Redirection {
        /// The command sees this file instead of /etc/hosts.
        package var hostsFile: String
        /// The path of a PEM file. The command sees its content at the end of each CA bundle.
        package var authorityFile: String
        /// The absolute paths of CA bundles.
        package var bundles: [String]
        /// Bundles that programs open in addition to others. If one is missing, the command sees the authority alone.
        package var defaultBundles: [String]
        /// The IPv4 address of the push hosts in the hosts file.
        package var address: UInt32
        /// The port on 127.0.0.1 where connections to ports 443 and 2197 of `address` go.
        package var port: UInt16

        package init(
            hostsFile: String, authorityFile: String, bundles: [String], defaultBundles: [String], address: UInt32,
            port: UInt16
        ) {
            self.hostsFile = hostsFile
            self.authorityFile = authorityFile
            self.bundles = bundles
            self.defaultBundles = defaultBundles
            self.address = address
            self.port = port
        }
    }

    package init(_ arguments: [[UInt8]], environment: [[UInt8]], redirection: Redirection?) {
        self.arguments = arguments
        self.environment = environment
        self.redirection = redirection
    }

    /// Whether `redirection` works on this system. To find out, this traces a child process, which takes a few
    /// milliseconds.
    package static func canRedirect() -> Bool { ctrace_is_available() == 1 }

    /// Runs the command. All other threads of this process must block `ForwardedSignals`.
    package func run() -> CommandEnd { TraceCall(self).run() }
}
