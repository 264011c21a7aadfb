internal import Compression
internal import Glibc
internal import PushCore

/// The shared library of Sources/CPreload, which programs load by `LD_PRELOAD`. The plugin EmbedPreload puts it here.
package enum PreloadedLibrary {
    /// The contents of the file.
    package static var bytes: [UInt8] {
        (try? Gzip.decompress(Base64URL.decode(text.utf8) ?? [], limit: 1 << 20)) ?? []
    }

    /// Why a program can't load the library from this file; nil if it can. In this process the library does nothing.
    package static func problem(_ path: String) -> String? {
        let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL)
        guard let handle = unsafe handle else {
            return unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
        }
        unsafe dlclose(handle)
        return nil
    }
}
