extension Option {
    static let doctorOptions: [Option] = [
        Option(
            name: "certs", value: "dir",
            help: """
                The directory of keys and certificates. doctor checks that the CA bundles in this environment contain \
                ca.pem from this directory.
                """,
            defaultValue: "certs", commands: [.doctor]),
        Option(
            name: "password", value: "password",
            help: "The password of a .p12 file. If not given, an empty password and \"pushpit\" are tried.",
            commands: [.doctor]),
        Option(
            name: "json", value: "switch",
            help: "Print one line of JSON for each input, as POST /api/v1/inspect answers.",
            values: ["on", "off"], defaultValue: "off", isFlag: true, commands: [.doctor]),
    ]
}
