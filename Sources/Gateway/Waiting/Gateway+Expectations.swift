internal import ControlAPI
internal import PushEngine

/// Answers calls of `expect` as pushes come and time passes.
extension Gateway {
    package func judgeExpectations() {
        if engine.judgeExpectations() { answerDecided() }
    }

    func answerDecided() {
        for decided in engine.expectations.takeDecided(at: loopNow) {
            let response = ControlAPI.response(to: decided.expectation, decided.verdict, by: self)
            answer(response, to: decided.replyTarget)
        }
    }
}
