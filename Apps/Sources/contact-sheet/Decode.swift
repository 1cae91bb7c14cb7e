import ArgumentParser
import ContactSheet
import ContactSheetLibrary

/// The command that the server runs to read pictures; of no use to people.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read pictures for a server.", shouldDisplay: false)

  @Option(help: "After this long with one picture the worker ends itself.")
  var seconds: UInt32 = 61

  @Option(help: "The memory of all workers together, in MB.")
  var megabytes: UInt32 = 1024

  func run() { DecodeWorker.run(secondsPerPicture: seconds, megabytes: megabytes) }
}
