import { BackMap } from './back-map.ts'
import { changedNames, passedNames, touchOf } from './changed-names.ts'
import type { Facts, Reference } from './facts.ts'
import { type AllFacts, Linker } from './linker.ts'
import type { Links } from './links.ts'
import { Platforms } from './platforms.ts'
import type { Configs } from './resolve.ts'
import { tailsFor, tailsOf } from './tails.ts'

export const EDGE_TYPES = ['import', 'calls', 'tests_of'] as const
export type EdgeType = (typeof EDGE_TYPES)[number]

/** Changes in a repo: files with their facts, `undefined` for removed ones. */
export interface Changes {
  readonly files: ReadonlyMap<string, Facts | undefined>
  /** All configs, when one has changed. */
  readonly configs?: Configs
}

/** All files of a repo with their edges in both directions. The cost of an update depends only on what it affects. */
export class Graph {
  readonly #facts = new Map<string, Facts>()
  readonly #links = new Map<string, Links>()
  readonly #importers = new BackMap()
  readonly #users = new BackMap()
  readonly #callers = new BackMap()
  readonly #testers = new BackMap()
  /** Files that would import a missing file, by its path without ending. */
  readonly #missing = new BackMap()
  readonly #tails = new BackMap()
  #configs: Configs = new Map()
  readonly #platforms = new Platforms()
  #linker = new Linker(this.#facts, this.#configs, this.#platforms)

  get facts(): AllFacts {
    return this.#facts
  }

  links = (file: string): Links | undefined => this.#links.get(file)
  importers = (file: string): ReadonlySet<string> => this.#importers.get(file)
  /** Files that import a name defined there, through any file. */
  users = (file: string): ReadonlySet<string> => this.#users.get(file)
  callers = (file: string): ReadonlySet<string> => this.#callers.get(file)
  testers = (file: string): ReadonlySet<string> => this.#testers.get(file)
  wouldImport = (base: string): ReadonlySet<string> => this.#missing.get(base)

  apply({ files, configs }: Changes): void {
    if (configs) this.#configs = configs
    const touched = new Set(files.keys())
    const others = [...files].flatMap(([path, facts]) => (!this.#facts.has(path) === !facts ? [] : [path]))
    // The target of a reference is certain only while the set of files is the same.
    const targets = configs || others.length > 0 ? () => undefined : this.#targetsAmong(files)
    const changed = [...files].flatMap(([path, facts]) => {
      const before = this.#facts.get(path)
      return before && facts ? [{ path, names: changedNames(before, facts, (reference) => targets(path, reference)) }] : []
    })
    for (const { path, names } of changed) this.#dependents(path, names, touched)
    for (const [path, facts] of files) this.#take(path, facts)
    const linker = this.#linker
    if (configs || others.length > 0) this.#linker = new Linker(this.#facts, this.#configs, this.#platforms)
    else linker.forget()
    // The previous linker would look up files unknown to it among the wrong files.
    if (configs && others.length > 0) for (const path of this.#facts.keys()) touched.add(path)
    else if (configs) this.#redirected(linker, touched)
    else for (const path of others) this.#neighbourhood(path, touched)
    for (const path of touched) this.#relink(path)
  }

  /**
   * Finds files whose edges may differ because references are resolved in another way. Checking all files costs a tenth of
   * linking them again.
   */
  #redirected(before: Linker, found: Set<string>): void {
    for (const [path, facts] of this.#facts) {
      if (this.#linker.leadsAs(before, path)) continue
      found.add(path)
      this.#dependents(path, passedNames(facts), found)
    }
  }

  #targetsAmong(files: Changes['files']): (from: string, reference: Reference) => readonly Facts[] {
    return (from, { to }) =>
      this.#linker.filesOf(from, to).flatMap((file) => [this.#facts.get(file), files.get(file)].filter((facts) => facts !== undefined))
  }

  #take(path: string, facts: Facts | undefined): void {
    const before = this.#facts.get(path)
    if (before) for (const tail of tailsOf(path, before)) this.#tails.delete(tail, path)
    if (facts) for (const tail of tailsOf(path, facts)) this.#tails.add(tail, path)
    if (facts && !before) this.#platforms.add(path)
    if (before && !facts) this.#platforms.delete(path)
    if (facts) this.#facts.set(path, facts)
    else this.#facts.delete(path)
  }

  /** Finds files whose edges may differ because a file was added or removed. */
  #neighbourhood(path: string, found: Set<string>): void {
    const seen = new Set<string>()
    for (const tail of tailsFor(path, this.#linker.packagesOf(path), this.#linker.aliasesOf(path))) {
      for (const file of this.#tails.get(tail)) {
        const facts = this.#facts.get(file)
        if (!facts || seen.has(file)) continue
        seen.add(file)
        found.add(file)
        this.#dependents(file, passedNames(facts), found)
      }
    }
  }

  /** Finds files whose edges lead to these names of a file (`undefined`: any), through re-exports too. */
  #dependents(path: string, names: ReadonlySet<string> | undefined, found: Set<string>): void {
    if (names?.size === 0) return
    const seen = new Set([path])
    for (const one of seen) {
      for (const importer of this.importers(one)) {
        const facts = this.#facts.get(importer)
        if (!facts) continue
        const { links, passes, renames } = touchOf(facts, names, (to, name) => this.#linker.moduleOf(importer, to, name) === one)
        // The names it is re-exported under are not followed: it may be any.
        if (renames && names) return this.#dependents(path, undefined, found)
        if (links) found.add(importer)
        if (passes) seen.add(importer)
      }
    }
  }

  #relink(path: string): void {
    const before = this.#links.get(path)
    if (before) this.#enter(path, before, 'delete')
    const after = this.#facts.has(path) ? this.#linker.link(path) : undefined
    if (after) {
      this.#links.set(path, after)
      this.#enter(path, after, 'add')
    } else this.#links.delete(path)
  }

  #enter(path: string, { imports, uses, calls, tests, missing }: Links, change: 'add' | 'delete'): void {
    for (const to of imports) this.#importers[change](to, path)
    for (const id of uses) this.#users[change](id.slice(0, id.lastIndexOf('#')), path)
    for (const { file } of calls) this.#callers[change](file, path)
    for (const to of tests) this.#testers[change](to, path)
    for (const base of missing) this.#missing[change](base, path)
  }
}
