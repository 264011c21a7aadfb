internal import APNs
internal import PushCore

/// Findings about the environment in which a sender runs.
enum EnvironmentRule: String, InspectionRule {
    case proxy = "environment.proxy"
    case ownProxy = "environment.own-proxy"
    case proxyScheme = "environment.proxy-scheme"
    case twoProxies = "environment.two-proxies"
    case exempted = "environment.no-proxy"
    case noBundle = "environment.no-bundle"
    case unreadable = "environment.unreadable"
    case notPEM = "environment.not-pem"
    case notTrusted = "environment.not-trusted"
    case noAccount = "environment.no-account"
    case otherAccount = "environment.other-account"
    case hostsEntry = "environment.hosts"
    case foreignHost = "environment.foreign-host"
    case clockNotSet = "environment.clock-not-set"
    case clockBehind = "environment.clock-behind"
    case noTracing = "environment.no-tracing"
    case otherProgram = "environment.other-program"
    case noGateway = "environment.no-gateway"

    var row: InspectionRow {
        switch self {
        case .proxy:
            InspectionRow(
                .note, "{} is {}: clients that honour it reach the push services through this proxy.",
                "Unset it, or list the push hosts in NO_PROXY, if that is not intended.")
        case .ownProxy:
            InspectionRow(
                .note, "{} is {}, the gateway: clients that honour it reach the gateway instead of Apple and Google.",
                "Run clients that ignore the variable, such as aioapns, with pushpit exec --url.")
        case .proxyScheme:
            InspectionRow(
                .warning, "{} is {}, without a scheme. Some clients refuse that, others guess.",
                "Write it like http://proxy.example.com:3128.")
        case .twoProxies:
            InspectionRow(
                .warning, "{} have different values, and clients differ in which they read.",
                "Give them the same value, or unset all but one.")
        case .exempted:
            InspectionRow(
                .note, "NO_PROXY exempts {} of the push hosts, such as {}: they are reached without the proxy.",
                "Remove the entry if the proxy should get these connections.")
        case .noBundle:
            InspectionRow(
                .error, "{} names {}, which does not exist. Most clients then trust no server.",
                "Unset it, or name a file with CA certificates in PEM.")
        case .unreadable: InspectionRow(.error, "{} names a file that cannot be read: {}.", "Make it readable.")
        case .notPEM:
            InspectionRow(
                .error, "{} names {}, which contains no certificate in PEM.", "Name a file with CA certificates in PEM."
            )
        case .notTrusted:
            InspectionRow(
                .warning,
                "{} names {}, which does not contain Pushpit's ca.pem. Clients that read it refuse the gateway.",
                "Append ca.pem to a copy of the file, or run the sender with pushpit exec.")
        case .noAccount:
            InspectionRow(
                .error, "GOOGLE_APPLICATION_CREDENTIALS names {}, which does not exist.",
                "Name the JSON file of a service account, or unset the variable.")
        case .otherAccount:
            InspectionRow(
                .warning, "GOOGLE_APPLICATION_CREDENTIALS names {}, which is: {}.",
                "Name the JSON file of a service account.")
        case .hostsEntry:
            InspectionRow(
                .note, "/etc/hosts maps {} to {}: pushes do not reach the real service.",
                "Remove the entry to reach the real service.")
        case .foreignHost:
            InspectionRow(
                .warning, "/etc/hosts maps {} to {}, which is not this computer. The vendors change their addresses.",
                "Remove the entry.")
        case .clockNotSet:
            InspectionRow(
                .error, "The clock says {}. Certificates are not valid yet, and signed tokens are too old.",
                "Set the clock (NTP).", .apple(.expiredProviderToken, .documented))
        case .clockBehind:
            InspectionRow(
                .warning, "The clock is {} behind files on this computer, so it is probably wrong.",
                "Set the clock (NTP). The push services refuse tokens that are signed with a wrong time.",
                .apple(.expiredProviderToken, .documented, "if the clock is more than an hour slow"))
        case .noTracing:
            InspectionRow(
                .note, "This system forbids seccomp user notification, so pushpit exec --via trace does not work.",
                "Use pushpit exec --via proxy for clients that honour HTTPS_PROXY.")
        case .otherProgram:
            InspectionRow(
                .warning, "Something other than a ready gateway listens at {}.",
                "Stop the other program, or start the gateway with --listen and another port.")
        case .noGateway:
            InspectionRow(
                .note, "No gateway answers at {}.", "Start one with pushpit, or name another one with --url.")
        }
    }
}
