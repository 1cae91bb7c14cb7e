import Foundation
import Testing

@testable import ContactSheetLibrary

@Suite struct FolderLockTests {
  let folder: TestFolder
  init() throws {
    folder = try TestFolder()
    try folder.data.prepare()
  }

  @Test func refusesASecondHolderAndNamesTheFirst() throws {
    let lock = try FolderLock.acquire(folder.data)
    try lock.announce(url: "http://127.0.0.1:8123")
    let failure = #expect(throws: ContactSheetError.self) { try FolderLock.acquire(folder.data) }
    #expect(failure?.code == .inUse)
    #expect(failure?.exitCode == 75)
    #expect(failure?.message.contains("http://127.0.0.1:8123") == true)
    #expect(failure?.message.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
    #expect(failure?.message.contains(folder.data.path) == true)
    lock.release()
    #expect(throws: Never.self) { try FolderLock.acquire(folder.data) }
  }

  @Test func tellsWhoHoldsIt() throws {
    #expect(FolderLock.holder(of: folder.data) == nil)
    let lock = try FolderLock.acquire(folder.data)
    #expect(FolderLock.holder(of: folder.data)?.url == nil)
    try lock.announce(url: "http://127.0.0.1:1")
    #expect(FolderLock.holder(of: folder.data)?.url == "http://127.0.0.1:1")
    lock.release()
    #expect(FolderLock.holder(of: folder.data) == nil)
  }

  @Test func believesNoFileThatAKilledProcessLeft() throws {
    try TestPictures.put(#"{"pid":1,"url":"http://127.0.0.1:9"}"#.utf8, at: folder.data.path + "/lock")
    #expect(FolderLock.holder(of: folder.data) == nil)
    #expect(throws: Never.self) { try FolderLock.acquire(folder.data) }
  }
}
