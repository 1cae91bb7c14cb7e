// The package manager renames `main`, so the fuzzer's own is not used, and its driver is called from here.
@_silgen_name("LLVMFuzzerRunDriver")
func LLVMFuzzerRunDriver(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
_ = LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
  fuzz(UnsafeBufferPointer(start: start, count: count))
  return 0
}
