import PushCore
import Testing

@testable import FCM

struct FCMRulesTests {
    /// Every constant error of `FCMErrors.swift`, and one of each that is made for its place.
    static let errors: [GoogleError] = [
        .credentialsMissing, .credentialsInvalid, .credentialsOfWrongType, .credentialsExpired, .scopeInsufficient,
        .noPermission("p", "project"), .conversion([]), .unknownParameters(["x"]), .notJSON("x"), .noTarget, .badTopic,
        .badToken, .badRegistration, .badCondition, .tooLarge, .badWebTTL, .noAps, .emptyAps, .androidAndAndroidV2,
        .reservedKey("from", at: "message.data"), .apsType("badge", "String", at: "message"), .alreadySubscribed,
        .noSubscription, .tooManyTopics, .topicQuota, .unregistered, .senderMismatch, .deviceQuota,
        .projectQuota("project"), .otherPackage("a"), .connectRefused, .keyAlone, .badErrorFormat("3"),
        .badAnswerType("x"),
        .noMedia, .badFieldMask("x", path: "x"), .topicMessageQuota, .unavailable, .internalError, .thirdPartyAuth,
        .invalidArgument,
    ]

    @Test(arguments: errors.indices)
    func `an error has the status of its rule`(_ index: Int) throws {
        let error = Self.errors[index]
        let rule = try #require(FCMRules.all.first { $0.id == error.rule }, "\(error.rule)")
        #expect(rule.effect.text == "\(error.code)", "\(error.rule)")
    }
}
