import Glibc
import JSON

/// A temporary directory that is deleted with all of its files when the test ends.
final class Scratch {
    let directory: String

    init() {
        var template = Array("/tmp/pushpit-persistence-XXXXXX".utf8CString)
        unsafe mkdtemp(&template)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for tail in ["", "-wal", "-shm", "-journal"] { unsafe unlink(directory + "/pushpit.db" + tail) }
        unsafe rmdir(directory)
    }
}

func json(_ text: String) throws -> JSONView { try JSONDocument(parsing: Array(text.utf8)).root }
