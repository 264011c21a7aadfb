/// The requests and messages from which a script of the target `gateway-calls` chooses.
enum CallRows {
    /// Lines of `METHOD PATH`, or of `METHOD PATH | HEADERS | BODY`.
    static let requests = lines(control + faults + pushes).map(CallTemplate.init(line:))

    /// Messages to a device socket.
    static let messages = lines(socket).map { CallTemplate(method: "", path: "", body: Array($0.utf8)) }

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    static let appleToken = String(repeating: "1f", count: 32)

    private static let control = #"""
        POST /api/v1/devices |  | {"id":"d1","platform":"ios","app":"com.example.app","name":"A","tokens":{"apns":{"token":"1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f"}},"tracking":{"profile":"adobe","ecid":"1"},"extension":{"script":"remote","seconds":5},"categories":[{"id":"c","actions":[{"id":"a","title":"T","text":true}]}],"backgroundBudget":1}
        POST /api/v1/devices |  | {"id":"d2","platform":"android","app":"com.example.droid","project":"shop","tokens":{"fcm":{"token":"tok:d2","fid":"fid2"}},"channels":[{"id":"c","importance":"low"}],"state":{"online":false}}
        POST /api/v1/devices |  | {"id":"d3","platform":"web","app":"https://example.com","locale":"de-CH","texts":{"en":{"HI":"Hello %@"}}}
        POST /api/v1/devices |  | {"id":"many","platform":"ios","app":"com.example.app","count":20}
        GET /api/v1/devices?app=com.example.app&platform=ios&limit=3&cursor=1
        GET /api/v1/devices/d1
        PATCH /api/v1/devices/d1 |  | {"state":{"online":false,"locked":true,"app":"background","permission":"denied","focus":true,"locale":"de"}}
        PATCH /api/v1/devices/d1 |  | {"state":{"online":true,"app":"foreground"}}
        PATCH /api/v1/devices/d2 |  | {"state":{"online":true,"doze":true}}
        DELETE /api/v1/devices/d1
        GET /api/v1/devices/d1/shade?limit=1
        GET /api/v1/devices/d2/pending?limit=1000
        POST /api/v1/devices/d1/act |  | {"kind":"open","notification":"n1"}
        POST /api/v1/devices/d1/act |  | {"kind":"action","notification":"n1","actionId":"a","text":"Hi"}
        POST /api/v1/devices/d1/act |  | {"kind":"uninstall"}
        POST /api/v1/devices/d1/act |  | {"kind":"install"}
        POST /api/v1/devices/d1/act |  | {"kind":"clearAll"}
        POST /api/v1/devices/d1/tokens |  | {"op":"rotate","provider":"apns","kind":"voip"}
        POST /api/v1/devices/d2/tokens |  | {"op":"delete","provider":"fcm"}
        GET /api/v1/topics?limit=1&cursor=0
        PUT /api/v1/topics/news/devices/d2
        DELETE /api/v1/topics/news/devices/d2
        GET /api/v1/messages?limit=1000&provider=apns&outcome=accepted&since=1&until=900
        GET /api/v1/messages?text=hello&/aps/alert/title=Hello&status=200&app=com.example.app
        GET /api/v1/messages?token=1f&device=d1&topic=news&pushType=alert&reason=BadDeviceToken&rule=x&name=0&limit=1&cursor=1
        DELETE /api/v1/messages?text=hello
        DELETE /api/v1/messages
        GET /api/v1/messages/p1
        GET /api/v1/messages/p1/raw
        GET /api/v1/messages/p1/export?as=apns
        GET /api/v1/messages/p1/export?as=curl
        GET /api/v1/messages/p2/export?as=fcm
        GET /api/v1/messages/p1/export?as=simctl
        GET /api/v1/messages/p2/export?as=adb
        GET /api/v1/messages/p1/events?limit=2&cursor=1
        POST /api/v1/expect |  | {"match":{"app":"com.example.app","body":{"/aps/alert":"Hello"},"bodyText":{"/n":"1"},"headers":{"apns-priority":"5"},"since":1,"status":"200"},"count":3,"within":"1s"}
        POST /api/v1/expect |  | {"match":{"text":"hello"},"never":true,"within":"700ms"}
        POST /api/v1/expect |  | {"match":{"provider":"fcm","until":9},"atMost":2}
        POST /api/v1/expect |  | {"atLeast":1000000,"within":"24h"}
        POST /api/v1/expect |  | {"match":{"event":{"kind":"presented","device":"d1","why":{"prefix":"ios."},"data":{"/title":"T"},"dataText":{"/n":"1"}},"app":"com.example.app"},"count":2,"within":"1s"}
        POST /api/v1/expect |  | {"match":{"event":{"kind":{"regex":"^(opened|dropped)$"}},"text":{"regex":"(a|H)*l{1,3}"},"device":{"prefix":"d"}},"atMost":3,"within":"500ms"}
        POST /api/v1/expect |  | {"sequence":[{"app":"com.example.app"},{"event":{"kind":"delivered"}},{"headers":{"apns-priority":{"regex":"^5$"}},"since":2}],"within":"2s"}
        POST /api/v1/expect |  | {"sequence":[{"device":"d1"},{"device":"d1"},{}]}
        POST /api/v1/expect |  | {"match":{"reason":"Unregisterd","rule":"apns.BadDeviceTokn","pushType":"alret","headers":{"apns-topc":"a"}},"never":true}
        GET /api/v1/events?since=0&follow=false
        GET /api/v1/events?since=0&push=p1&device=d1&limit=3
        GET /api/v1/events?since=0&limit=3&kind=accepted,refused | accept: application/x-ndjson |
        GET /api/v1/events?app=com.example.app&follow=true | last-event-id: 2 |
        GET /api/v1/rules?limit=2
        GET /api/v1/stats
        POST /api/v1/reset |  | {"app":"com.example.app"}
        POST /api/v1/reset
        GET /api/v1/clock
        POST /api/v1/clock |  | {"advance":"61m"}
        POST /api/v1/clock |  | {"set":"2027-01-01T00:00:00Z"}
        POST /api/v1/clock |  | {"freeze":true}
        POST /api/v1/clock |  | {"resume":true}
        PUT /api/v1/media |  | {"url":"https://example.com/a.png","contentType":"image/png","status":200,"size":1000,"delay":"1s"}
        PUT /api/v1/media |  | {"url":"https://example.com/b.png","base64":"QUJD"}
        GET /api/v1/media?limit=1
        DELETE /api/v1/media?url=https://example.com/a.png
        GET /api/v1/tracking?push=p1&limit=5
        GET /r/?id=h1,2,1&mcid=3
        POST /rest/head/mobileAppV5/K/subscriptions/E |  | {"token":"1"}
        GET /api/v1/credentials?limit=1
        POST /api/v1/credentials/expire |  | {"keyId":"ABCDE12345"}
        POST /api/v1/credentials/expire |  | {"project":"shop"}
        POST /api/v1/credentials/apns-keys |  | {"keyId":"ABCDE12345","teamId":"TEAM567890","key":"-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----","environment":"sandbox","topics":["com.example.app"]}
        POST /api/v1/credentials/service-accounts |  | {"client_email":"a@example.com","private_key":"x"}
        DELETE /api/v1/credentials/apns-keys/ABCDE12345
        DELETE /api/v1/credentials/service-accounts/a@example.com
        POST /api/v1/check/apns |  | {"headers":{"apns-topic":"com.example.app",":path":"/3/device/1f","apns-expiration":"1"},"body":{"aps":{"alert":"Hello"}}}
        POST /api/v1/check/fcm |  | {"message":{"token":"x","android":{"ttl":"3.5s"},"apns":{"payload":{"aps":{}}}}}
        POST /api/v1/inspect |  | {"text":"<a1b2c3d4 a1b2c3d4 a1b2c3d4 a1b2c3d4>","name":"token.txt"}
        POST /api/v1/inspect |  | {"base64":"MIIBAzCBvgIBADAAMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ=="}
        POST /api/v1/inspect |  | {"text":"eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJBQkNERTEyMzQ1In0.AAAA"}
        GET /openapi.json
        GET /metrics
        GET /readyz
        GET /
        OPTIONS /api/v1/faults | origin: https://evil.example; access-control-request-method: POST |
        GET /livez | host: evil.example |

        """#

    private static let faults = #"""
        GET /api/v1/faults?limit=2
        DELETE /api/v1/faults
        DELETE /api/v1/faults/f1
        GET /api/v1/scenarios?limit=1
        POST /api/v1/scenarios/apns-shutdown |  | {"app":"com.example.app"}
        POST /api/v1/scenarios/apns-black-hole
        POST /api/v1/scenarios/fcm-503-but-delivered
        POST /api/v1/scenarios/fcm-quota-with-retry-after
        DELETE /api/v1/scenarios/apns-shutdown
        POST /api/v1/faults |  | {"match":{"provider":"apns","app":"com.example.app","reason":"accepted"},"effect":{"answer":{"status":503,"reason":"Shutdown","body":"{}","contentType":"text/plain","headers":{"retry-after":"5"}}},"times":2}
        POST /api/v1/faults |  | {"match":{"provider":"fcm","project":"shop"},"effect":{"answer":{"recorded":"quota-project"}},"every":2}
        POST /api/v1/faults |  | {"match":{"token":"1f","topic":"com.example.app","pushType":"alert"},"effect":{"delay":"1s"},"nth":2,"per":"connection"}
        POST /api/v1/faults |  | {"match":{"headers":{"apns-priority":"5"}},"effect":{"delay":{"uniform":["1s","3s"]}},"per":"token","after":1}
        POST /api/v1/faults |  | {"match":{"body":{"/aps/alert":"Hello"}},"effect":{"delay":{"median":"1s","sigma":0.5}},"probability":0.5,"seed":7}
        POST /api/v1/faults |  | {"effect":{"silence":true},"times":1}
        POST /api/v1/faults |  | {"effect":{"reset":["INTERNAL_ERROR","CANCEL"]},"for":"5s"}
        POST /api/v1/faults |  | {"effect":{"resetAfterHeaders":"NO_ERROR"},"nth":1}
        POST /api/v1/faults |  | {"effect":{"truncate":3},"times":1}
        POST /api/v1/faults |  | {"effect":[{"deliver":2},{"goAway":{"code":"NO_ERROR","debug":"x","last":"before","times":2,"keepOpen":true}}]}
        POST /api/v1/faults |  | {"effect":{"goAway":{"last":3}},"idle":"1s"}
        POST /api/v1/faults |  | {"effect":{"close":"end"},"times":1}
        POST /api/v1/faults |  | {"effect":{"close":"reset"},"times":1}
        POST /api/v1/faults |  | {"effect":{"blackHole":true},"nth":2}
        POST /api/v1/faults |  | {"effect":[{"streamLimit":1},{"window":0}],"times":1}
        POST /api/v1/faults |  | {"effect":[{"window":1},{"delay":"10ms"}]}
        POST /api/v1/faults |  | {"match":{"path":"/3/"},"effect":[{"sticky":true},{"answer":{"status":429}}]}
        POST /api/v1/faults |  | {"effect":{"deliverAfter":"2s"}}
        POST /api/v1/faults |  | {"effect":{"deliver":10},"times":1}
        POST /api/v1/faults |  | {"effect":{"deliver":0}}
        POST /api/v1/faults |  | {"effect":{"tls":"alert"}}
        POST /api/v1/faults |  | {"effect":{"acceptDelay":"1s"}}
        POST /api/v1/faults |  | {"effect":{"connectionLimit":1}}
        POST /api/v1/faults |  | {"effect":{"firstStreamLimit":0}}
        POST /api/v1/faults |  | {"effect":{"wire":"goawayIdle"},"idle":"1s"}
        POST /api/v1/faults |  | {"effect":{"wire":"lostResponse"}}
        POST /api/v1/faults |  | {"effect":{"wire":"fuzzy410"}}
        POST /api/v1/faults |  | {"effect":{"wire":"streamLimitDrop"}}
        POST /api/v1/faults |  | {"effect":{"wire":"wedged500"},"times":1}

        """#

    private static let pushes = #"""
        POST /3/device/1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f |  | {"aps":{"alert":{"title":"Hello","loc-key":"HI","loc-args":["x"]},"badge":1,"sound":"default","mutable-content":1,"category":"c","thread-id":"t"},"_mId":"h1","_dId":"2","acsDeliveryTracking":"on"}
        POST /3/device/1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f | apns-push-type: background; apns-priority: 5; apns-expiration: 1790000100; apns-collapse-id: k; apns-id: 123e4567-e89b-12d3-a456-4266554400a0 | {"aps":{"content-available":1},"n":1}
        POST /3/device/a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4 |  | {"aps":{"alert":"Hello","interruption-level":"critical","relevance-score":0.5}}
        POST /3/device/a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4 | apns-push-type: voip; apns-topic: com.example.app.voip | {"aps":{}}
        POST /3/device/a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4 | apns-push-type: liveactivity; apns-topic: com.example.app.push-type.liveactivity | {"aps":{"event":"start","timestamp":1790000000,"attributes-type":"A","attributes":{},"content-state":{},"alert":{"title":"T","body":"B"},"stale-date":1790000100,"dismissal-date":1790000200}}
        POST /3/device/00000000000000000000000000000000
        POST /1/apps/com.example.app/channels |  | {"message-storage-policy":1,"push-type":"LiveActivity"}
        GET /1/apps/com.example.app/all-channels
        GET /1/apps/com.example.app/channels | apns-channel-id: AAAAAAAAAAAAAAAAAAAAAA== |
        DELETE /1/apps/com.example.app/channels | apns-channel-id: AAAAAAAAAAAAAAAAAAAAAA== |
        POST /4/broadcasts/apps/com.example.app | apns-channel-id: AAAAAAAAAAAAAAAAAAAAAA==; apns-push-type: liveactivity; apns-expiration: 0 | {"aps":{"event":"update","timestamp":1,"content-state":{"a":1}}}
        POST /v1/projects/shop/messages:send |  | {"message":{"token":"tok:d2","notification":{"title":"Hello","body":"x","image":"https://example.com/a.png"},"data":{"k":"v"},"android":{"collapse_key":"k","priority":"NORMAL","ttl":"10s","notification":{"channel_id":"c","tag":"t","notification_count":3}}}}
        POST /v1/projects/shop/messages:send |  | {"message":{"topic":"news","data":{"k":"v"}}}
        POST /v1/projects/shop/messages:send | accept-encoding: gzip | {"validate_only":true,"message":{"condition":"'news' in topics && !('sport' in topics)","webpush":{"notification":{"title":"x"},"headers":{"TTL":"5"}}}}
        POST /v1/projects/shop/messages:send |  | {"message":{"fid":"fid2","apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"Hello"}},"fcm_options":{"image":"https://example.com/a.png"}}}}
        POST /token | content-type: application/x-www-form-urlencoded | grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=x
        POST /iid/v1:batchAdd | access_token_auth: true | {"to":"/topics/news","registration_tokens":["tok:d2","x"]}
        POST /iid/v1:batchRemove | access_token_auth: true | {"to":"/topics/news","registration_tokens":["tok:d2"]}
        POST /iid/v1:batchImport | access_token_auth: true | {"application":"com.example.app","sandbox":false,"apns_tokens":["1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f"]}
        POST /iid/v1/tok:d2/rel/topics/news
        GET /iid/info/tok:d2?details=true
        POST /v1/projects/shop/registrations/fid2/topicSubscriptions?topicName=news
        GET /v1/projects/shop/registrations/fid2/topicSubscriptions?pageSize=1&pageToken=x
        PATCH /v1/projects/shop/registrations/fid2/topicSubscriptions/news?allowMissing=true
        POST /fcm/send |  | {"to":"tok:d2"}
        POST /batch

        """#

    private static let socket = #"""
        {"type":"hello","device":{"id":"d1","platform":"ios","app":"com.example.app","tokens":{"apns":{"token":"1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f"}}},"wants":["push","event","raw"],"resume":{"after":0}}
        {"type":"hello","device":{"id":"d2","platform":"android","app":"com.example.droid"},"manualAck":true,"offlineWhenDisconnected":true}
        {"type":"hello","device":{"id":"d1"},"exclusive":true,"ref":[1,{"a":null}]}
        {"type":"hello","device":{"platform":"web","app":"https://example.com"},"wants":["event"]}
        {"type":"ack","ids":["p1","p2"],"code":100}
        {"type":"ack","upTo":17}
        {"type":"nack","id":"p1","code":301}
        {"type":"state","set":{"online":false,"app":"terminated","lowPower":true}}
        {"type":"state","set":{"online":true,"app":"foreground","permission":"granted"}}
        {"type":"channel","op":"subscribe","id":"AAAAAAAAAAAAAAAAAAAAAA=="}
        {"type":"topic","op":"subscribe","name":"/topics/news"}
        {"type":"topic","op":"unsubscribe","name":"news"}
        {"type":"token","op":"rotate","provider":"apns","kind":"ptt"}
        {"type":"token","op":"rotate","provider":"fcm"}
        {"type":"act","notification":"n1","kind":"open"}
        {"type":"act","notification":"n1","kind":"action","actionId":"a","text":"x"}
        {"type":"extensionResult","push":"p1","content":{"title":"T","body":"B"}}
        {"type":"extensionResult","push":"p1","crash":true}
        {"type":"clearAll"}
        {"type":"launch"}
        {"type":"forceQuit"}
        {"type":"uninstall"}
        {"type":"install"}
        {"type":"ping","ref":"r"}
        """#
}
