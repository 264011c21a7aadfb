import TLS
import TestSupport
import Testing

@testable import Credentials

/// The app that the client certificate is for.
@Suite struct TopicTests {
    @Test func `a topic that is needed is in the certificate and the index, and stays there`() throws {
        let scratch = Scratch()
        var needs = Credentials.Needs()
        needs.topic = "com.example.shop"
        #expect(try scratch.prepare(port: nil, for: needs).topic == "com.example.shop")
        let scope = try Certificate(pem: try #require(try scratch.read("apns-client.pem"))).apnsScope
        #expect((scope.defaultTopic, scope.topics.first) == ("com.example.shop", "com.example.shop"))
        #expect(try scratch.prepare().topic == "com.example.shop")
        #expect(try Credentials.existing(in: scratch.directory).topic == "com.example.shop")
    }

    @Test func `a certificate for another topic is an error, and can be made again`() throws {
        let scratch = try Scratch.withSet()
        let keyID = try scratch.prepare().keyID
        var needs = Credentials.Needs()
        needs.topic = "com.example.shop"
        let problem = #expect(throws: Credentials.Problem.self) { try scratch.prepare(port: nil, for: needs) }
        #expect(
            problem?.description.hasPrefix(
                "\(scratch.path("apns-client.pem")) is for com.example.app, but --apns-topic is com.example.shop: ")
                == true)
        scratch.remove("apns-client.pem")
        scratch.remove("apns-client.p12")
        let again = try scratch.prepare(port: nil, for: needs)
        #expect((again.topic, again.keyID) == ("com.example.shop", keyID))
    }
}
