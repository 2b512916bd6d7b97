/** The targets of a file, once all files are known. */
export interface Links {
  readonly imports: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
  /** See `Resolution`. */
  readonly missing: ReadonlySet<string>
  /** Imported names, where they are defined: `path#symbol`. */
  readonly uses: ReadonlySet<string>
  readonly calls: readonly CallLink[]
  /** Files it tests, if it is a test. */
  readonly tests: ReadonlySet<string>
}
export interface CallLink {
  /** '' is the module itself. */
  readonly by: string
  readonly file: string
  readonly symbol: string
}

export const symbolId = (file: string, symbol: string): string => (symbol === '' ? file : `${file}#${symbol}`)
