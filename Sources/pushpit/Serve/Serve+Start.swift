internal import Credentials
internal import EventLoop
internal import Gateway
internal import Platform
internal import PushCore

/// What `serve` does when the gateway is about to run.
extension Serve {
    static func log(_ configuration: Configuration) -> Log {
        Log(
            format: configuration.logFormat, level: configuration.logLevel,
            isColored: StandardStreams.errorHasColors)
    }

    static func endWithStandardInput(_ server: Server) throws(LoopError) {
        let mailbox = try server.openMailbox()
        try StandardInput.whenEnded {
            mailbox.send(
                .read { gateway in
                    gateway.log(
                        .info, "standard input ended", at: gateway.clock.now,
                        ["because": "with --exit-on-stdin-eof the gateway ends too"])
                })
            mailbox.send(.shutDown)
        }
    }

    /// Prints the addresses and what else the user should know at the start.
    ///
    /// - Parameter tokenFile: the file that the API token was read from.
    static func greet(for server: Server, _ format: Log.Format, tokenFile: String?) {
        if format == .json { return printOutput(Banner.json(for: server, at: server.gateway.clock.now)) }
        if !server.credentials.made.isEmpty {
            printLine("Made \(server.credentials.made.joined(separator: ", ")) in \(server.credentials.directory)/")
        }
        if let notice = server.credentials.notice { printOutput(notice + "\n") }
        if let port = server.credentials.portFiles.otherPort {
            printLine(
                "The gateway on port \(port) uses service-account.json and pushpit.json in "
                    + "\(server.credentials.directory)/, so this one uses "
                    + "\(server.credentials.portFiles.serviceAccount) and \(server.credentials.portFiles.index).")
        }
        if let tokenFile { printLine("The API token is in \(tokenFile.onOneLine)") }
        printOutput(Banner.text(for: server))
    }
}
