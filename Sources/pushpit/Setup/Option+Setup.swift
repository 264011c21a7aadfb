extension Option {
    /// The options for what a gateway has at its start.
    static let setupOptions: [Option] = [
        Option(
            name: "seed", value: "file",
            help: """
                A JSON file with the devices, topics, faults, media and clock that the gateway begins with, each as the \
                control API takes it; - is standard input. With --data it is used only if the directory has nothing yet.
                """,
            commands: .gateways),
        Option(
            name: "demo", value: "switch",
            help: """
                Begin with the last hours of a shop, a news app and a ride app: devices, pushes, images, a Live Activity \
                and a fault. With --data it is used only if the directory has nothing yet.
                """,
            values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.serve]),
    ]
}
