/** Endings before the file ending by which bundlers choose a file for a platform: `button.ios.tsx`. */
const PLATFORM = /\.(?:ios|android|native|web|browser|windows|macos|tvos|visionos)(?=(?:\.d)?\.[cm]?[jt]sx?$)/

/** Returns the platform ending of a path, such as `.ios`. */
const platformOf = (path: string): string | undefined => PLATFORM.exec(path)?.[0]
export const withoutPlatform = (path: string): string => path.replace(PLATFORM, '')

/** Counts the platform endings in a repo, so that only those in use are tried when a specifier is resolved. */
export class Platforms {
  readonly #counts = new Map<string, number>()

  get used(): Iterable<string> {
    return this.#counts.keys()
  }

  add(path: string): void {
    const platform = platformOf(path)
    if (platform !== undefined) this.#counts.set(platform, (this.#counts.get(platform) ?? 0) + 1)
  }

  delete(path: string): void {
    const platform = platformOf(path)
    if (platform === undefined) return
    const count = (this.#counts.get(platform) ?? 0) - 1
    if (count > 0) this.#counts.set(platform, count)
    else this.#counts.delete(platform)
  }
}
