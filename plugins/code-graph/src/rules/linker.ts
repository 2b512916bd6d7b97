import type { Facts, Reference } from './facts.ts'
import type { JsFiles } from './js-files.ts'
import { isTest, languageOf } from './languages.ts'
import { type CallLink, type Links, symbolId } from './links.ts'
import type { Platforms } from './platforms.ts'
import { type Configs, NO_TARGET, type Resolution } from './resolve.ts'
import { JsResolver } from './resolve-js.ts'
import { PythonResolver } from './resolve-python.ts'
import { testedByName } from './tests-of.ts'

/** The definition of a name; with `symbol` '' the module itself. */
interface Definition {
  readonly file: string
  readonly symbol: string
}
const NO_DEFINITIONS: readonly Definition[] = []
const NO_FILES: readonly string[] = []
interface Names {
  readonly symbols: ReadonlySet<string>
  readonly exports: ReadonlyMap<string, string> | undefined
}
export type AllFacts = ReadonlyMap<string, Facts>

/** Maximum number of files searched for one name: farther ones are left out. */
const MAX_ASKED = 2_000

/** Links the facts of files. A name that cannot be followed to its definition makes no edge, so answers are a lower bound. */
export class Linker {
  readonly #all: AllFacts
  readonly #js: JsResolver
  readonly #python: PythonResolver
  readonly #names = new WeakMap<Facts, Names>()
  /** Exports of a file by name, followed once for all importers. */
  #followed = new Map<string, Map<string, readonly Definition[]>>()

  constructor(all: AllFacts, configs: Configs, platforms: Platforms) {
    this.#all = all
    const files: JsFiles = { has: (path) => all.has(path), platforms: [...platforms.used] }
    this.#js = new JsResolver(files, configs)
    this.#python = new PythonResolver(all, configs)
  }

  /** Clears the followed exports, when facts have changed but the set of files has not. */
  forget(): void {
    this.#followed = new Map()
  }

  packagesOf(file: string): readonly string[] {
    return this.#js.packagesOf(file)
  }

  /** See `Packages`. */
  aliasesOf(file: string): readonly string[] {
    return this.#js.aliasesOf(file)
  }

  filesOf(from: string, to: string): readonly string[] {
    return this.#resolve(from, to).files ?? NO_FILES
  }

  /** True if all references of a file resolve as with another linker. */
  leadsAs(other: Linker, file: string): boolean {
    return (this.#all.get(file)?.references ?? []).every(({ to, binds = [] }) => {
      const [here, there] = [this.#resolve(file, to), other.#resolve(file, to)]
      if (!isSame(here.files, there.files) || here.package !== there.package || here.missing !== there.missing) return false
      return binds.every(([name]) => this.moduleOf(file, to, name) === other.moduleOf(file, to, name))
    })
  }

  link(file: string): Links {
    const facts = this.#all.get(file)
    const links = { imports: new Set<string>(), packages: new Set<string>(), missing: new Set<string>(), uses: new Set<string>() }
    const bound = new Map<string, readonly Definition[]>()
    for (const reference of facts?.references ?? []) {
      const { package: name, missing } = this.#note(file, reference, links.imports)
      if (name !== undefined) links.packages.add(name)
      if (missing !== undefined) links.missing.add(missing)
      for (const [theirs, ours] of reference.binds ?? []) {
        const found = this.#imported(file, reference, theirs)
        if (found.length === 0) continue
        bound.set(ours, found)
        for (const { file: at, symbol } of found) if (symbol !== '') links.uses.add(symbolId(at, symbol))
      }
    }
    const calls = facts ? this.#calls(file, facts, bound) : []
    return { ...links, calls, tests: this.#tests(file, links) }
  }

  /** Returns the module that a name imported by a file of Python is, as in `from package import module`. */
  moduleOf(from: string, to: string, name: string): string | undefined {
    return name === '*' || languageOf(from) !== 'python' ? undefined : this.#python.submodule(from, to, name)
  }

  #resolve(from: string, to: string): Resolution {
    return languageOf(from) === 'python' ? this.#python.resolve(from, to) : this.#js.resolve(from, to)
  }

  /** Adds the edges of a reference. In Python each name may be a module. */
  #note(from: string, { to, binds = [], passes = [] }: Reference, imports: Set<string>): Resolution {
    const found = this.#resolve(from, to)
    const modules = binds.flatMap(([theirs]) => this.moduleOf(from, to, theirs) ?? [])
    for (const module of modules) if (module !== from) imports.add(module)
    const isWhole = modules.length === 0 || modules.length < binds.length || passes.length > 0
    for (const file of isWhole ? (found.files ?? []) : []) if (file !== from) imports.add(file)
    return modules.length > 0 ? NO_TARGET : found
  }

  #imported(from: string, { to }: Reference, name: string): readonly Definition[] {
    const files = this.filesOf(from, to)
    const own = name === '*' ? [] : files.flatMap((file) => this.#exported(file, name))
    if (own.length > 0) return own
    const module = this.moduleOf(from, to, name)
    if (module !== undefined) return [{ file: module, symbol: '' }]
    return name === '*' ? files.map((file) => ({ file, symbol: '' })) : NO_DEFINITIONS
  }

  #exported(file: string, name: string): readonly Definition[] {
    let known = this.#followed.get(file)
    if (!known) {
      known = new Map()
      this.#followed.set(file, known)
    }
    let found = known.get(name)
    if (!found) known.set(name, (found = this.#follow(file, name, new Set())))
    return found
  }

  /** `asked` contains the lookups on the way here; a repeated one is a cycle. */
  #follow(file: string, name: string, asked: Set<string>): readonly Definition[] {
    const facts = this.#all.get(file)
    const here = `${file}\0${name}`
    if (!facts || asked.has(here) || asked.size > MAX_ASKED) return NO_DEFINITIONS
    asked.add(here)
    const { symbols, exports } = this.#namesOf(facts)
    const ours = exports ? exports.get(name) : name
    if (ours !== undefined && symbols.has(ours)) return [{ file, symbol: ours }]
    for (const reference of facts.references) {
      const found = this.#passed(file, reference, name, ours, asked)
      if (found.length > 0) return found
    }
    return NO_DEFINITIONS
  }

  #passed(file: string, reference: Reference, name: string, ours: string | undefined, asked: Set<string>): readonly Definition[] {
    const bind = ours === undefined ? undefined : reference.binds?.find(([, as]) => as === ours)
    // The exact name comes before `*`, which covers all other names.
    const passes = reference.passes ?? []
    const pass = passes.find(([, as]) => as === name) ?? passes.find(([theirs, as]) => theirs === '*' && as === '*' && name !== 'default')
    const [theirs, as] = bind ?? pass ?? []
    if (theirs === undefined) return NO_DEFINITIONS
    const targets = this.filesOf(file, reference.to).filter((target) => target !== file)
    if (theirs === '*' && as !== '*') return targets.map((target) => ({ file: target, symbol: '' }))
    return targets.flatMap((target) => this.#follow(target, theirs === '*' ? name : theirs, asked))
  }

  #calls(file: string, facts: Facts, bound: ReadonlyMap<string, readonly Definition[]>): CallLink[] {
    const { symbols } = this.#namesOf(facts)
    const found = new Map<string, CallLink>()
    for (const [by, what] of facts.calls) {
      const called = symbols.has(what) ? [{ file, symbol: what }] : this.#called(what, bound)
      for (const one of called) found.set(`${by}\0${symbolId(one.file, one.symbol)}`, { by, ...one })
    }
    return [...found.values()]
  }

  /** Resolves the longest imported prefix, and the member accessed on it. */
  #called(what: string, bound: ReadonlyMap<string, readonly Definition[]>): readonly Definition[] {
    const parts = what.split('.')
    for (let length = parts.length; length > 0; length--) {
      const bases = bound.get(parts.slice(0, length).join('.'))
      if (bases) return bases.flatMap((base) => this.#memberOf(base, parts.slice(length)))
    }
    return NO_DEFINITIONS
  }

  #memberOf({ file, symbol }: Definition, [member, ...rest]: readonly string[]): readonly Definition[] {
    if (symbol === '') return this.#exported(file, member ?? 'default').flatMap((own) => this.#memberOf(own, rest))
    const whole = `${symbol}.${member}`
    const facts = member === undefined ? undefined : this.#all.get(file)
    return [facts && this.#namesOf(facts).symbols.has(whole) ? { file, symbol: whole } : { file, symbol }]
  }

  #namesOf(facts: Facts): Names {
    const known = this.#names.get(facts)
    if (known) return known
    const names = { symbols: new Set(facts.symbols), exports: facts.exports === 'open' ? undefined : new Map(facts.exports) }
    this.#names.set(facts, names)
    return names
  }

  /**
   * Returns the files that a test covers: its imports, the definitions of the names it imports, and the file it is named after.
   */
  #tests(file: string, { imports, uses }: Pick<Links, 'imports' | 'uses'>): Set<string> {
    const tested = new Set<string>()
    if (!isTest(file)) return tested
    const used = [...uses].map((id) => id.slice(0, id.lastIndexOf('#')))
    for (const one of [...imports, ...used, ...testedByName(file, this.#all)]) if (one !== file && !isTest(one)) tested.add(one)
    return tested
  }
}

function isSame(some: readonly string[] = NO_FILES, others: readonly string[] = NO_FILES): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}
