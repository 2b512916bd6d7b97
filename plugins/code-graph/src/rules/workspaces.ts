import { nameOf, parentOf, upwards } from './paths.ts'
import type { Configs } from './resolve.ts'

const MAX_PATTERNS = 200
const MAX_LENGTH = 200

export class Workspaces {
  readonly #patterns = new Map<string, readonly string[]>()

  constructor(configs: Configs) {
    for (const [path, config] of configs) {
      const patterns = nameOf(path) === 'pnpm-workspace.yaml' || nameOf(path) === 'package.json' ? patternsIn(config) : []
      if (patterns.length > 0) this.#patterns.set(parentOf(path), [...(this.#patterns.get(parentOf(path)) ?? []), ...patterns])
    }
  }

  /**
   * The folder within which a package is known by its name: that of the nearest workspaces around it when it is a member, the repo when
   * there are none. `undefined` for a package that workspaces leave out, such as a fixture of tests.
   */
  scopeOf(folder: string): string | undefined {
    for (const root of folder === '' ? [] : upwards(parentOf(folder))) {
      const patterns = this.#patterns.get(root)
      if (patterns) return isMember(root === '' ? folder : folder.slice(root.length + 1), patterns) ? root : undefined
    }
    return ''
  }
}

/** `workspaces` of a manifest, or `packages` of pnpm, which its reader has put under the same name. */
function patternsIn(config: unknown): readonly string[] {
  const { workspaces } = (config ?? {}) as { workspaces?: unknown }
  const listed = Array.isArray(workspaces) ? workspaces : ((workspaces ?? {}) as { packages?: unknown }).packages
  const patterns = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string' && one.length <= MAX_LENGTH) : []
  return (patterns as string[]).slice(0, MAX_PATTERNS)
}

/** A pattern that begins with `!` takes its folders out again. */
function isMember(folder: string, patterns: readonly string[]): boolean {
  const fits = (pattern: string): boolean => alternatives(pattern.replace(/^\.?\/|\/+$/g, '')).some((one) => matches(one, folder))
  const out = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  return patterns.some((pattern) => !pattern.startsWith('!') && fits(pattern)) && !out.some(fits)
}

const MAX_ALTERNATIVES = 100

/** `a/{b,c}` is `a/b` or `a/c`. */
function alternatives(pattern: string): readonly string[] {
  let all = [pattern]
  for (let depth = 0; depth < MAX_LENGTH && all.some((one) => BRACES.test(one)); depth++)
    all = all
      .flatMap((one) => (BRACES.exec(one)?.[1] ?? '').split(',').map((inner) => one.replace(BRACES, () => inner)))
      .slice(0, MAX_ALTERNATIVES)
  return all
}
const BRACES = /\{([^{}]*)\}/

/** Compares by the parts of both: `reached` are the parts of the path that the pattern so far may have taken. */
function matches(pattern: string, path: string): boolean {
  const names = path.split('/')
  let reached = new Set([0])
  for (const part of pattern.split('/')) {
    const next = new Set<number>()
    for (const at of reached) {
      if (part === '**') for (let to = at; to <= names.length; to++) next.add(to)
      else if (at < names.length && fitsName(part, names[at] as string)) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(names.length)
}

/** `*` stands for any characters of one name. Linear in both, whatever a manifest holds. */
function fitsName(pattern: string, name: string): boolean {
  let [at, here, star, mark] = [0, 0, -1, 0]
  while (here < name.length) {
    if (pattern[at] === '*') [star, mark] = [at++, here]
    else if (pattern[at] === name[here] || pattern[at] === '?') {
      at++
      here++
    } else if (star >= 0) [at, here] = [star + 1, ++mark]
    else return false
  }
  return /^\**$/.test(pattern.slice(at))
}
