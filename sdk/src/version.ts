/** Semver of this contract and of the package: `definePlugin({ sdk: '^1.0.0' })` is checked against it at boot. */
export const SDK_VERSION = '1.0.0'
