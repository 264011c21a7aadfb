import Foundation
import PackagePlugin

/// Makes the files of Sources/Console/Web constants of the target `Console`, compressed. It runs at build time only, so
/// Foundation does not get into the program.
@main struct EmbedConsole: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let top = context.package.directoryURL
        let script = top.appending(path: "scripts/console.sh")
        let web = top.appending(path: "Sources/Console/Web")
        let names = try FileManager.default.subpathsOfDirectory(atPath: web.path(percentEncoded: false))
        let files = names.sorted().map { web.appending(path: $0) }.filter { !$0.pathExtension.isEmpty }
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated/ConsoleFiles+Contents.swift")
        return [
            .buildCommand(
                displayName: "Embedding the console", executable: URL(filePath: "/bin/sh"),
                arguments: [script, web, output].map { $0.path(percentEncoded: false) },
                inputFiles: [script] + files, outputFiles: [output])
        ]
    }
}
