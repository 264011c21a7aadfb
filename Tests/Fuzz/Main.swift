/// One fuzz target: what one input has to go through, and what has to hold then.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let table: [FuzzTarget] = [
        FuzzTarget(name: "json", run: fuzzJSON),
        FuzzTarget(name: "json-pointer", run: fuzzJSONPointer),
        FuzzTarget(name: "inspection", run: fuzzInspection),
        FuzzTarget(name: "regular-expression", run: fuzzRegularExpression),
        FuzzTarget(name: "http1-request", run: fuzzRequests),
        FuzzTarget(name: "http1-response", run: fuzzResponses),
        FuzzTarget(name: "websocket-frames", run: fuzzFrames),
        FuzzTarget(name: "websocket-handshake", run: fuzzHandshake),
        FuzzTarget(name: "http2-bytes", run: fuzzHTTP2Bytes),
        FuzzTarget(name: "http2-frames", run: fuzzHTTP2Frames),
        FuzzTarget(name: "der", run: fuzzDER),
        FuzzTarget(name: "certificate", run: fuzzCertificate),
        FuzzTarget(name: "pem", run: fuzzPEM),
        FuzzTarget(name: "pkcs12", run: fuzzPKCS12),
        FuzzTarget(name: "base64url", run: fuzzBase64URL),
        FuzzTarget(name: "hex", run: fuzzHex),
        FuzzTarget(name: "address", run: fuzzAddress),
        FuzzTarget(name: "fcm-message", run: fuzzMessage),
        FuzzTarget(name: "fcm-condition", run: fuzzCondition),
        FuzzTarget(name: "google-calls", run: fuzzGoogleCalls),
        FuzzTarget(name: "google-query", run: fuzzGoogleQuery),
        FuzzTarget(name: "gzip", run: fuzzGzip),
        FuzzTarget(name: "device-spec", run: fuzzDeviceSpec),
        FuzzTarget(name: "phone", run: fuzzPhone),
        FuzzTarget(name: "kept", run: fuzzKept),
        FuzzTarget(name: "records", run: fuzzRecords),
        FuzzTarget(name: "mcs", run: fuzzMCS),
        FuzzTarget(name: "autopush", run: fuzzAutopush),
        FuzzTarget(name: "web-push", run: fuzzWebPush),
        FuzzTarget(name: "web-push-cipher", run: fuzzWebPushCipher),
        FuzzTarget(name: "saved-receivers", run: fuzzSavedReceivers),
        FuzzTarget(name: "firebase", run: fuzzFirebase),
        FuzzTarget(name: "gateway", run: fuzzGateway),
        FuzzTarget(name: "gateway-calls", run: fuzzGatewayCalls),
    ]
}

/// libFuzzer as a library (`FuzzerDriver.cpp`); the C calling convention is Swift's for such arguments.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// `pushpit-fuzz TARGET [libFuzzer's own arguments]`.
@main struct Main {
    /// Set once before the fuzzer runs, on its one thread.
    nonisolated(unsafe) static var target = FuzzTarget.table[0]

    static func main() {
        let name = CommandLine.argc > 1 ? CommandLine.arguments[1] : ""
        if name == "--list" {
            for target in FuzzTarget.table { print(target.name) }
            return
        }
        guard let target = FuzzTarget.table.first(where: { $0.name == name }) else {
            fatalError("'\(name)' is no fuzz target; there are \(FuzzTarget.table.map(\.name))")
        }
        unsafe Self.target = target
        // The program's name, then what is behind the target's.
        var count = CommandLine.argc - 1
        var arguments = unsafe CommandLine.unsafeArgv + 1
        unsafe arguments[0] = CommandLine.unsafeArgv[0]
        unsafe withUnsafeMutablePointer(to: &arguments) { arguments in
            _ = unsafe runDriver(&count, arguments) { start, count in
                unsafe Main.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            }
        }
    }
}

/// Ends the program, which the fuzzer takes for a crash, where a property does not hold.
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError("property violated: \(message())")
}
