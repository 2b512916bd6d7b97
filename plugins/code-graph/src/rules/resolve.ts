/** The paths of a repo’s source files. */
export interface SourceFiles {
  has(path: string): boolean
}

export const NO_TARGET: Resolution = {}
/** The resolution to these files, or else `otherwise`. */
export const toFiles = (files: readonly string[], otherwise: Resolution = NO_TARGET): Resolution =>
  files.length > 0 ? { files } : otherwise

/** Parsed files that say how imports are resolved, by their paths; `undefined` inside for one that cannot be parsed. */
export type Configs = ReadonlyMap<string, unknown>

/** The target of a specifier. Nothing is set when the target is not a source file, for example a style sheet. */
export interface Resolution {
  /**
   * Files of the repo. There are several where conditions of a package, platforms or a declaration file beside a script choose between
   * them: the import depends on each. The first is the one that TypeScript takes.
   */
  readonly files?: readonly string[]
  /** A package from elsewhere. */
  readonly package?: string
  /** A path in the repo, without ending, at which nothing is: whoever deletes or adds a file there touches the importer. */
  readonly missing?: string
}
