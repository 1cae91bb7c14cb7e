extension FetchSectionID: Codable {
  private enum CodingKeys: String, CodingKey { case text, type }

  /// Encodes the identifier: one of text as a string, one of another value with the way in which that is stored.
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    guard let type, type != .text else {
      var container = encoder.singleValueContainer()
      return try container.encode(text)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(type.code, forKey: .type)
  }

  /// Decodes an identifier. A string will do, as it was written while identifiers were strings.
  /// - Throws: The decoder's errors.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(), let text = try? container.decode(String.self) {
      self.init(text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = FetchColumnType(code: try container.decode(Int.self, forKey: .type))
    guard let type else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container, debugDescription: "There is no such way of being stored.")
    }
    self.init(text: try container.decode(String.self, forKey: .text), type: type)
  }
}
