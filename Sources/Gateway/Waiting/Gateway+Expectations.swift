internal import ControlAPI
internal import PushCore
internal import PushEngine

/// Answers `expect` calls when a push or their timeout decides them.
extension Gateway {
    /// Compares the waiting `expect` calls with new pushes until the turn is over. Returns whether the pushes up to
    /// `event` have been compared.
    @discardableResult package func evaluateExpectations(upTo event: UInt64 = .max) -> Bool {
        box.engine.evaluateExpectations { turn.isOver }
        answerDecided()
        return !box.engine.hasExpectationsToEvaluate(upTo: event)
    }

    func answerDecided() {
        for decided in box.engine.takeDecidedExpectations(at: loopNow) {
            let answer = ExpectAnswer(decided.expectation, decided.verdict, at: box.engine.events.newest)
            start(answer, decided.replyTarget)
        }
    }
}
