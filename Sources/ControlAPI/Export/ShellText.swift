/// Text in a command for a POSIX shell.
enum ShellText {
    /// The text as one word that the shell takes literally. It must not contain NUL.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
