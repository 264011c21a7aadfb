import PushEngine

// Not beside `import Testing`, which has a type of the same name.
/// An engine's expectation.
typealias PushExpectation = Expectation
