import Devices
import PushCore
import Testing

/// After any sequence of events, the shade has no duplicate keys, no more entries than its capacity, and no
/// notification that a person has opened or dismissed.
@Suite struct ShadePropertyTests {
    private static let payloads = [
        #"{"aps":{"alert":"B"}}"#, #"{"aps":{"alert":{"title":"T"},"badge":7,"mutable-content":1}}"#,
        #"{"aps":{"badge":0}}"#,
        #"{"aps":{"content-available":1}}"#, #"{"aps":{}}"#, "[]",
        #"{"aps":{"alert":{"body":"B"},"mutable-content":1},"fcm_options":{"image":"https://e.com/a.png"}}"#,
    ]
    private static let states = [
        #"{"app":"foreground"}"#, #"{"app":"background"}"#, #"{"app":"forceQuit"}"#, #"{"locked":true}"#,
        #"{"locked":false}"#,
        #"{"permission":"denied"}"#, #"{"permission":"authorized"}"#, #"{"focus":true}"#, #"{"focus":false}"#,
    ]

    @Test(arguments: 0..<60) func `the shade stays consistent after any sequence of events`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        let script = ["none", "echo", "slow", "remote", "firebase", "crash"][pick(6)]
        var phone = try PhoneSample(.ios, #""extension":{"script":"\#(script)","seconds":3}"#)
        var handled: Set<String> = []
        func note(_ lines: [String]) {
            for line in lines where line.hasPrefix("presented") {
                handled.remove(String(line.split(separator: " ")[2]))
            }
        }
        for _ in 0..<300 {
            let shown = phone.registry[0].phone.shade.entries.map(\.key)
            switch pick(9) {
            case 0...3:
                note(
                    try phone.push(
                        Self.payloads[pick(Self.payloads.count)], collapseID: ["", "", "a", "b", "n1"][pick(5)]))
            case 4: note(phone.wait(Int64(pick(40_000))))
            case 5: try phone.set(Self.states[pick(Self.states.count)])
            case 6:
                guard !shown.isEmpty else { continue }
                let key = shown[pick(shown.count)]
                handled.insert(key)
                note(phone.handle(.act(pick(2) == 0 ? .open(key) : .dismiss(key))))
            case 7:
                for key in shown where pick(10) == 0 {
                    handled.insert(key)
                    note(phone.handle(.act(.dismiss(key))))
                }
            default: note(phone.handle([.launch, .forceQuit, .timer][pick(3)]))
            }
            let keys = phone.registry[0].phone.shade.entries.map(\.key)
            #expect(Set(keys).count == keys.count)
            #expect(keys.count <= Shade.capacity)
            #expect(handled.isDisjoint(with: keys))
            #expect([0, 7].contains(phone.registry[0].phone.badge))
        }
        for line in phone.handle(.clearAll) { #expect(line.hasPrefix("dismissed")) }
        #expect(phone.registry[0].phone.shade.count == 0)
    }
}
