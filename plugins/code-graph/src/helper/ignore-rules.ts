import { readFileSync } from 'node:fs'
import ignore, { type Ignore } from 'ignore'

/** The `.gitignore` files that apply in a folder, the outermost first. */
export class IgnoreRules {
  readonly #levels: readonly { readonly folder: string; readonly rules: Ignore }[]

  constructor(levels: IgnoreRules['levels'] = []) {
    this.#levels = levels
  }

  get levels(): readonly { readonly folder: string; readonly rules: Ignore }[] {
    return this.#levels
  }

  /** Returns the rules extended with a file's rules for its folder and everything below it. */
  with(folder: string, file: string): IgnoreRules {
    try {
      const rules = ignore({ allowRelativePaths: true }).add(readFileSync(file, 'utf8').slice(0, MAX_CHARACTERS))
      return new IgnoreRules([...this.#levels, { folder, rules }])
    } catch {
      return this
    }
  }

  /** True if the path is ignored. The innermost file that mentions the path decides. A folder's path ends in a slash. */
  ignores(path: string): boolean {
    for (const { folder, rules } of this.#levels.toReversed()) {
      const { ignored, unignored } = rules.test(folder === '' ? path : path.slice(folder.length + 1))
      if (ignored || unignored) return ignored
    }
    return false
  }
}

const MAX_CHARACTERS = 100_000
