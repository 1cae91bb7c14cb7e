#if os(Linux)
  @testable import ContactSheetLibrary
  import Foundation
  import Testing

  /// Bytes of passwords, as programs and files give them.
  @Suite struct PasswordTextTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    /// Each way to give a password, as a line of the shell; `$bytes` is what `printf` makes of it.
    private static let ways = [
      "printf \"$bytes\\n\" | \"$program\" password --data \"$data\"",
      "printf \"$bytes\\n\" >\"$data.txt\"; \"$program\" serve --port 0 --password-file \"$data.txt\" --data \"$data\"",
      "CONTACT_SHEET_PASSWORD=$(printf \"$bytes\") \"$program\" serve --port 0 --data \"$data\"",
    ]

    private func set(_ bytes: String, _ way: String) throws -> Run {
      let names = "bytes='\(bytes)'; program='\(Program.path)'; data='\(folder.data.path)'; "
      return try Run(["-c", names + way], program: "/bin/sh")
    }

    @Test(.timeLimit(.minutes(5)), arguments: ways)
    func bytesThatAreNoTextAreRefused(_ way: String) async throws {
      let run = try set(#"p\344ssw\366rter"#, way)
      #expect(await run.wait() == 64, "\(run.text)")
      #expect(run.text.contains("UTF-8"), "\(run.text)")
      #expect(try AccessFile(folder: folder.data).credentials() == nil)
    }

    @Test func aMarkAtTheBeginningIsNotPartOfIt() async throws {
      let run = try set(#"\357\273\277pässwörter\r"#, Self.ways[0])
      #expect(await run.wait() == 0, "\(run.text)")
      let access = try #require(try AccessFile(folder: folder.data).credentials())
      #expect(try #require(PasswordHash(access.password)).matches("pässwörter"))
    }

    @Test func aPasswordThatIsRefusedMakesNoFolder() async throws {
      let run = try set("short", Self.ways[0])
      #expect(await run.wait() == 64, "\(run.text)")
      #expect(!FileManager.default.fileExists(atPath: folder.data.path))
    }
  }
#endif
