import Foundation

/// The suites by name. A suite measures, adds its rows to the report, and throws where it cannot.
var suites: [(name: String, run: (inout Report) async throws -> Void)] = [
  ("snapshots", SnapshotSuite.run),
  ("sources", SourcesSuite.run),
  ("fetch", FetchSuite.run),
  ("drafts", DraftSuite.run),
  ("identifiers", IdentifierSuite.run),
  ("figures", FiguresSuite.run),
]
#if PostgreSQL
  // Where there is a server.
  if PostgresSuite.address != nil { suites.append(("postgres", PostgresSuite.run)) }
#endif

let wanted = CommandLine.arguments.dropFirst().first ?? "all"
// The figures repeat what others measure, at more lengths and for minutes: they are made by their name.
let chosen = suites.filter { wanted == "all" ? $0.name != "figures" : $0.name == wanted }
guard !chosen.isEmpty else {
  print("There is no suite \(wanted). There are: \(suites.map(\.name).joined(separator: ", ")), all.")
  exit(2)
}
var isMet = true
for suite in chosen {
  print("Suite \(suite.name)")
  var report = Report(suite: suite.name)
  do {
    try await suite.run(&report)
    try report.write()
  } catch {
    print("The suite \(suite.name) failed: \(error)")
    exit(2)
  }
  isMet = isMet && report.isMet
}
exit(isMet ? 0 : 1)
