/// The commands and what each is for.
enum Command: String, CaseIterable {
    case serve
    case initialize = "init"
    case ready

    var purpose: String {
        switch self {
        case .serve: "Run the gateway (the default)."
        case .initialize: "Make the keys and certificates that are missing."
        case .ready: "Wait until a gateway answers."
        }
    }

    var options: [Option] { Option.table.filter { $0.commands.contains(self) } }
}
