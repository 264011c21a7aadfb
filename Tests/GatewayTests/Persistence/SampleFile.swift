import Platform
import PushpitTesting
import Storage
import TLS
import TestSupport

@testable import Gateway

/// A database with rows of every kind, made by a gateway.
enum SampleFile {
    /// The id and the token of an iPhone in it.
    static let (bytes, token): ([UInt8], String) = (try? make()) ?? ([], "")

    private static func make() throws -> (bytes: [UInt8], token: String) {
        let directory = Scratch()
        var token = ""
        try Disk.run(in: directory) { gateway, disk in
            func run(_ call: TestCall) throws {
                disk.runAll(in: gateway.embedded)
                _ = try call.answer()
            }
            let iPhone: TestJSON = ["id": "p", "tracking": ["profile": "adobe", "ecid": "E"]]
            let phone = try gateway.phone("ios", iPhone)
            token = phone.token()
            try disk.ask(gateway, "POST", "/devices", ["platform": "android", "app": "a.b", "id": "a"], status: 201)
            try disk.ask(gateway, "PUT", "/topics/news/devices/a", status: 204)
            let channel: TestJSON = ["message-storage-policy": 1, "push-type": "LiveActivity"]
            try run(
                gateway.start(
                    "POST", "/1/apps/com.example.app/channels", headers: gateway.pushFields(topic: nil),
                    body: channel.bytes))
            let payload: TestJSON = ["aps": ["alert": "Hello"], "_mId": "h138a", "_dId": "56c4"]
            try run(gateway.startPush(payload, to: token))
            try run(gateway.start("GET", "/r/?id=h138a,56c4,2&mcId=E"))
            try addSettings(gateway, disk)
            try run(gateway.startPush(payload, to: token))
            try run(message(gateway, ["topic": "news", "data": ["k": "v"]]))
            try disk.ask(gateway, "PATCH", "/devices/p", ["state": ["online": false]])
            try disk.ask(gateway, "DELETE", "/faults/f1", status: 204)
            try run(gateway.startPush(payload, to: token))
            gateway.embedded.gateway.saveAll()
        }
        return (try Files.read(directory.path("pushpit.db")) ?? [], token)
    }

    private static func addSettings(_ gateway: TestGateway, _ disk: Disk) throws {
        let late: TestJSON = ["effect": ["deliverAfter": "1h"]]
        try disk.ask(gateway, "POST", "/faults", late, status: 201)
        let counting: TestJSON = ["effect": ["delay": "1s"], "per": "token", "nth": 9, "probability": 1]
        try disk.ask(gateway, "POST", "/faults", counting, status: 201)
        try disk.ask(gateway, "PUT", "/media", ["url": "https://e.com/a.png", "size": 7], status: 204)
        try disk.ask(gateway, "POST", "/clock", ["advance": "2h"])
        let (key, rsa) = (try PrivateKey.generateP256().pem, try PrivateKey.generateRSA2048().pem)
        let text = { (pem: [UInt8]) in TestJSON(String(decoding: pem, as: UTF8.self)) }
        let apns: TestJSON = ["keyId": "ABCDE12345", "teamId": "TEAM567890", "key": text(key)]
        try disk.ask(gateway, "POST", "/credentials/apns-keys", apns, status: 201)
        let account: TestJSON = ["type": "service_account", "client_email": "b@x.example", "private_key": text(rsa)]
        try disk.ask(gateway, "POST", "/credentials/service-accounts", account, status: 201)
    }

    static func message(_ gateway: TestGateway, _ message: TestJSON) throws -> TestCall {
        try gateway.start(
            "POST", "/v1/projects/shop/messages:send", headers: ["authorization": "Bearer x"],
            body: (["message": message] as TestJSON).bytes)
    }
}
