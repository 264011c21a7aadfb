import HTTPCore
import Testing

@testable import APNs

struct APNsFieldTests {
    @Test(arguments: APNsField.allCases) func `a field is found by its name`(_ field: APNsField) {
        var headers = HeaderBlock([.method: "POST", .host: "localhost", HeaderName("apns-other"): "x"])
        #expect(APNsFields(headers)[field] == nil)
        headers.append(field.name, "first")
        headers.append(HeaderName("user-agent"), "x")
        let fields = APNsFields(headers)
        #expect(fields[field].map { String(decoding: headers.storage[$0], as: UTF8.self) } == "first")
        #expect(APNsField.allCases.filter { fields[$0] != nil } == [field])
        #expect(!fields.isRepeated)
        #expect(fields.isUnusual, "because of apns-other")
        #expect(!APNsFields(HeaderBlock([.method: "POST", field.name: "x"])).isUnusual)
    }

    @Test(arguments: APNsField.allCases) func `the first of two fields counts`(_ field: APNsField) {
        var headers = HeaderBlock([field.name: "first", field.name: "second"])
        #expect(APNsFields(headers)[field] == headers.range(of: field.name))
        #expect(APNsFields(headers).isRepeated == (field != .path))
        headers = HeaderBlock([field.name: "", .method: "POST"])
        #expect(APNsFields(headers)[field]?.isEmpty == true)
    }

    /// Several have the length and the last byte of a field that matters.
    @Test(arguments: [":method", "apnx-id", "apns-prioritx", "bpns-priority", "authorizatiom", "x", ""])
    func `a similar name is another field`(_ name: String) {
        var headers = HeaderBlock()
        let (name, value) = (Array(name.utf8)[...], Array("1".utf8)[...])
        headers.append(name, value)
        let fields = APNsFields(headers)
        #expect(APNsField.allCases.allSatisfy { fields[$0] == nil })
    }

    @Test func `a repeated field with an unknown name that begins with apns- counts, others do not`() {
        let unknown = HeaderName("apns-other")
        #expect(APNsFields(HeaderBlock([unknown: "1", unknown: "2"])).isRepeated)
        #expect(!APNsFields(HeaderBlock([unknown: "1", HeaderName("apns-othez"): "2"])).isRepeated)
        #expect(!APNsFields(HeaderBlock([.host: "1", .host: "2"])).isRepeated)
    }
}
