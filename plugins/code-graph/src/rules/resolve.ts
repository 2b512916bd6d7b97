export interface SourceFiles {
  has(path: string): boolean
}

export const NO_TARGET: Resolution = {}
export const toFiles = (files: readonly string[], otherwise: Resolution = NO_TARGET): Resolution =>
  files.length > 0 ? { files } : otherwise

/** Parsed files that configure how imports are resolved, by path; the value is `undefined` if the file cannot be parsed. */
export type Configs = ReadonlyMap<string, unknown>

/** The target of a specifier. Nothing is set when the target is not a source file, for example a style sheet. */
export interface Resolution {
  /**
   * Files of the repo. There are several if conditions of a package, platforms or a declaration file next to a script choose
   * between them: the import depends on each. TypeScript takes the first.
   */
  readonly files?: readonly string[]
  /** A package from outside the repo. */
  readonly package?: string
  /** A path in the repo, without ending, where no file exists: deleting or adding a file there affects the importer. */
  readonly missing?: string
}
