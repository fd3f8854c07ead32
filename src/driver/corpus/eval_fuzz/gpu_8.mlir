module @outside {
  func.func @main() {
    %x = gpu.thread_id x
    return
  }
}
