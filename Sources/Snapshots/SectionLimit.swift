/// The most sections that a snapshot can have.
///
/// Section numbers have 24 bits. They are given out in order and never again; when they end, all sections are numbered
/// anew. The highest ones are left out, as they would make words that mean that there is no item.
@usableFromInline
package enum SectionLimit {
  #if LIVELISTS_TINY_NODES
    @inlinable package static var standard: Int { 20 }
  #else
    @inlinable package static var standard: Int { (1 << 24) - 2 }
  #endif

  #if DEBUG
    /// A lower limit, so that tests reach it. Debug builds only.
    @TaskLocal package static var lowered: Int?

    @usableFromInline static var current: Int { lowered ?? standard }
  #else
    @inlinable static var current: Int { standard }
  #endif
}
