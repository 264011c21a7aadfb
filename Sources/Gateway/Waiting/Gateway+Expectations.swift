internal import ControlAPI
internal import PushEngine

/// Answers `expect` calls when a push or their timeout decides them.
extension Gateway {
    package func evaluateExpectations() {
        if box.engine.evaluateExpectations() { answerDecided() }
    }

    func answerDecided() {
        for decided in box.engine.expectations.takeDecided(at: loopNow) {
            let response = ControlAPI.response(to: decided.expectation, decided.verdict, by: self)
            answer(response, to: decided.replyTarget)
        }
    }
}
