import Foundation
import PackagePlugin

/// Compiles the library of Sources/CPreload and makes it a constant of the target `Preload`: SwiftPM itself can't link
/// a shared library into a program. It runs at build time only, so Foundation does not get into the program.
@main struct EmbedPreload: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let top = context.package.directoryURL
        let script = top.appending(path: "scripts/preload.sh")
        // Some of its sources are the supervisor's.
        let sources = try ["Sources/CPreload", "Sources/CTrace", "Sources/CTrace/include"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: top.appending(path: folder), includingPropertiesForKeys: nil)
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "PreloadedLibrary+Text.swift")
        // Swift's own compiler for C: a machine that builds Pushpit may have no other.
        let compiler = (try? context.tool(named: "clang"))?.url.path(percentEncoded: false) ?? "cc"
        return [
            .buildCommand(
                displayName: "Compiling the library that exec preloads", executable: URL(filePath: "/bin/sh"),
                arguments: [script, top, output].map { $0.path(percentEncoded: false) } + [compiler],
                inputFiles: [script] + sources.filter { ["c", "h"].contains($0.pathExtension) }, outputFiles: [output])
        ]
    }
}
