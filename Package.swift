// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatWarning("ExplicitSendable", as: .error),
]

let cSettings: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

let package = Package(
  name: "localauth",
  products: [
    .library(name: "PAMHarness", targets: ["PAMHarness"]),
    .executable(name: "localauth", targets: ["localauth"]),
  ],
  targets: [
    // Built both ways: here in full mode for the tests, by the Makefile in Embedded mode to ship.
    .target(name: "AuthenticationCore", swiftSettings: settings),
    .target(name: "HelperProtocol", swiftSettings: settings),
    .target(name: "SecretBytes", dependencies: ["CPlatform"], swiftSettings: settings),
    .target(name: "SystemInterface", dependencies: ["CPlatform", "HelperProtocol"], swiftSettings: settings),
    .target(
      name: "PAMModule",
      dependencies: ["AuthenticationCore", "HelperProtocol", "SecretBytes", "SystemInterface", "CPAM", "CPlatform"],
      swiftSettings: settings),
    .target(
      name: "Helper",
      dependencies: [
        "AuthenticationCore", "HelperProtocol", "SecretBytes", "SystemInterface", "CInih", "CPAM", "CPlatform",
        "CSystemd",
      ],
      swiftSettings: settings),

    // C libraries: module maps and small shims, nothing else.
    .target(name: "CPlatform", cSettings: cSettings),
    .target(name: "CPAM", cSettings: cSettings, linkerSettings: [.linkedLibrary("pam")]),
    .target(name: "CInih", cSettings: cSettings, linkerSettings: [.linkedLibrary("inih")]),
    .target(name: "CSystemd", cSettings: cSettings, linkerSettings: [.linkedLibrary("systemd")]),

    // Full mode only.
    .target(
      name: "HelperClient",
      dependencies: ["AuthenticationCore", "HelperProtocol", "SecretBytes", "SystemInterface", "CPlatform"],
      swiftSettings: settings),
    .executableTarget(
      name: "localauth", dependencies: ["HelperClient", "AuthenticationCore"], swiftSettings: settings),
    .target(name: "PAMHarness", dependencies: ["CPAM"], swiftSettings: settings),

    .testTarget(
      name: "AuthenticationCoreTests", dependencies: ["AuthenticationCore", "CPAM"], swiftSettings: settings),
    .testTarget(name: "HelperProtocolTests", dependencies: ["HelperProtocol"], swiftSettings: settings),
    .testTarget(
      name: "HelperTests", dependencies: ["Helper", "AuthenticationCore", "HelperProtocol", "CPlatform"],
      swiftSettings: settings),
    .testTarget(
      name: "PAMModuleTests",
      dependencies: [
        "PAMModule", "AuthenticationCore", "HelperProtocol", "SecretBytes", "SystemInterface", "CPAM", "CPlatform",
      ],
      swiftSettings: settings),
    .testTarget(name: "SecretBytesTests", dependencies: ["SecretBytes", "CPlatform"], swiftSettings: settings),
    .testTarget(
      name: "SystemInterfaceTests", dependencies: ["SystemInterface", "HelperProtocol", "CPlatform"],
      swiftSettings: settings),
    .testTarget(name: "HelperClientTests", dependencies: ["HelperClient"], swiftSettings: settings),
    .testTarget(
      name: "LocalauthCommandTests", dependencies: ["localauth", "AuthenticationCore"], swiftSettings: settings),
    .testTarget(name: "InstalledModuleTests", dependencies: ["PAMHarness"], swiftSettings: settings),
    .testTarget(name: "PAMHarnessTests", dependencies: ["PAMHarness"], swiftSettings: settings),
  ]
)
