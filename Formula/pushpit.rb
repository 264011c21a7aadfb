# Builds Pushpit from source with Homebrew on Linux. Nothing is published yet, so it builds the repository it is in.
# It has not been run by us: our tests have no Homebrew, and check only its syntax.
class Pushpit < Formula
  desc "Push service for development and tests that answers like APNs and FCM"
  homepage "file://#{File.expand_path("..", __dir__)}/README.md"
  license "MIT"
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "libnghttp2"
  depends_on "libuv"
  # Pushpit does not compile on macOS yet: it uses Glibc, and system calls that only Linux has.
  depends_on :linux
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "pushpit",
           "--static-swift-stdlib"
    bin.install ".build/release/pushpit"
    man1.install "docs/pushpit.1"
    generate_completions_from_executable(bin/"pushpit", "completions")
  end

  test do
    assert_match(/^pushpit \d/, shell_output("#{bin}/pushpit --version"))
    system bin/"pushpit", "init", "--certs", testpath/"certs"
    assert_path_exists testpath/"certs/ca.pem"
  end
end
