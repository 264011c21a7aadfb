import PushpitTesting
import Testing

/// Tokens that are replaced or deleted over a socket.
@Suite struct TokenTests {
    @Test(arguments: TestGateway.Kind.allCases) func `an APNs token is replaced`(kind: TestGateway.Kind) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            try #expect(phone.ask("token", ["op": "rotate", "provider": "apns"])["type"] == "ok")
            let frame = try phone.next("token")
            let new = try #require(frame["new"].string)
            #expect(
                frame == [
                    "type": "token", "provider": "apns", "old": TestJSON(phone.token()), "new": TestJSON(new),
                    "cause": "rotate",
                ])
            try #expect(phone.nextEvent("token")["data"]["new"].string == new)
            try #expect(gateway.push(to: phone.token()).status == 410)
            try #expect(gateway.push(to: new).status == 200)
            try #expect(phone.ask("token", ["op": "delete", "provider": "apns"])["type"] == "ok")
            let deleted = try phone.next("token")
            #expect(deleted == ["type": "token", "provider": "apns", "old": TestJSON(new), "cause": "delete"])
            try #expect(gateway.push(to: new).status == 410)
        }
    }

    @Test func `an FCM token is replaced and the installation stays`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android")
            let fid = try #require(phone.device["tokens"]["fcm"]["fid"].string)
            try phone.ask("token", ["op": "rotate", "provider": "fcm"])
            let new = try #require(try phone.next("token")["new"].string)
            #expect(new.hasPrefix(fid + ":"))
            let statuses = try [phone.token("fcm"), new, fid].map {
                try gateway.sendFCM(["token": TestJSON($0), "data": ["a": "1"]]).status
            }
            #expect(statuses == [404, 200, 200])
        }
    }

    @Test func `a token that does not exist cannot be changed`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("web", app: "https://e.com")
            let rows: [(TestJSON, String)] = [
                (["op": "rotate", "provider": "apns"], "/provider"), (["op": "rotate"], "/provider"),
                (["op": "delete", "provider": "apns"], "/provider"), (["op": "burn", "provider": "fcm"], "/op"),
            ]
            for (fields, pointer) in rows {
                let answer = try phone.ask("token", fields)
                #expect(answer["type"] == "error" && answer["pointer"].string == pointer, "\(fields)")
            }
        }
    }
}
