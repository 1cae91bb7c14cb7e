/// The version of ContactSheet, by semantic versioning. `CHANGELOG.md` begins with it.
package enum ContactSheetVersion {
  package static let current = "0.1.0"
}
