@testable import Inspection

extension Example {
    private static func account(_ rule: GoogleFileRule, _ text: String) -> Example {
        Example(rule, .serviceAccount, text)
    }
    private static func app(_ text: String) -> Example {
        Example(GoogleFileRule.appConfiguration, .appConfiguration, text)
    }

    static let googleFiles: [Example] = [
        app(Fixtures.services()), app(Fixtures.propertyList()),
        app(#"{"apiKey":"AIza","projectId":"shop","messagingSenderId":"1"}"#),
        app("bplist00 GOOGLE_APP_ID"),
        Example(GoogleFileRule.oauthClient, .oauthClient, #"{"installed":{"client_id":"x","project_id":"shop"}}"#),
        Example(
            GoogleFileRule.userCredentials, .googleCredentials, #"{"type":"authorized_user","refresh_token":"1//x"}"#),
        Example(GoogleFileRule.externalCredentials, .googleCredentials, #"{"type":"external_account"}"#),
        account(.missing, Fixtures.account(["project_id": nil])),
        account(.missing, Fixtures.account(["client_email": ""])),
        account(.missing, Fixtures.account(["token_uri": nil])),
        account(.email, Fixtures.account(["client_email": "sender"])),
        account(.noKey, Fixtures.account(["private_key": nil])),
        account(.keyDamaged, Fixtures.account(["private_key": "x"])),
        account(.keyDamaged, Fixtures.account(["private_key": String(repeating: "x", count: 20_000)])),
        account(.keyKind, Fixtures.account(["private_key": Fixtures.escaped(Fixtures.key)])),
        account(
            .keyEscapes,
            Fixtures.account([
                "private_key": Fixtures.escaped(Fixtures.rsa).split(separator: "\\", omittingEmptySubsequences: false)
                    .joined(separator: "\\\\")
            ])),
        account(.tokenURI, Fixtures.account(["token_uri": "https://example.com/token"])),
        account(.emulator, Fixtures.account(["token_uri": "https://localhost:2197/token"])),
        account(.notJSON, #"{"type":"service_account","private_key":"x",,}"#),
    ]
}
