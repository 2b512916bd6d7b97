/** The paths of a repo’s source files. */
export interface SourceFiles {
  has(path: string): boolean
}

/** Parsed files that say how imports are resolved, by their paths; `undefined` inside for one that cannot be parsed. */
export type Configs = ReadonlyMap<string, unknown>

/** Where a specifier leads. Nothing of it is set when it leads to what is no source file, as a style sheet. */
export interface Resolution {
  readonly file?: string
  /** A package from elsewhere. */
  readonly package?: string
  /** A path in the repo, without ending, at which nothing is: whoever deletes or adds a file there touches the importer. */
  readonly missing?: string
}
