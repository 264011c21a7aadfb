/// A script drives a whole gateway: calls, faults, pushes and device sockets mixed, on six connections, while clients stop
/// reading, turns end early, time passes and the disk fails. Whatever happens, the next connection is served, accepted
/// pushes are listed, and when the connections are gone, nothing of them is left.
///
/// The first byte has the options (`CallPlay.Option`). Then each step has a byte: the lower three bits choose the
/// connection, the others what is done (`CallPlay.take`).
func fuzzGatewayCalls(_ input: [UInt8]) {
    var reader = ByteReader(input[...])
    let play = CallPlay(options: reader.byte(), salt: input.reduce(0) { $0 &* 31 &+ $1 })
    var steps = 0
    while !reader.isAtEnd, steps < 48 {
        play.step(&reader)
        steps += 1
    }
    play.finish()
}
