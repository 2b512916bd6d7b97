import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isConfig, isOtherSource, languageOf } from '../rules/languages.ts'
import { parentOf } from '../rules/paths.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { isSettled, stampOf } from './stamp.ts'
import { Watches } from './watches.ts'

/** A file as it was found. It must be read, unless its stamp is known and settled. */
export interface Seen {
  readonly path: string
  readonly stats: Stats
  readonly settled: boolean
}
export interface Findings {
  readonly seen: (file: Seen) => void
  readonly gone: (path: string) => void
}
interface Folder {
  readonly files: Map<string, { stamp: string; settled: boolean }>
  readonly folders: Set<string>
  /** Sources of languages that are not read. */
  others: number
  readonly rules: IgnoreRules
  readonly ignoreStamp: string
  stamp: string
  settled: boolean
}

const FOLDERS_WITHOUT_SOURCES = new Set([
  'node_modules',
  '.git',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.next',
  '.nuxt',
  '.cache',
  '.yarn',
])
const MAX_FILES = 50_000
const MAX_FOLDERS = 20_000
const MAX_DEPTH = 40
/** Number of folders checked on each question although no change was reported: no watcher is trusted forever. */
const LOOKED_AT_ANYWAY = 20
/** A repo with no more folders than this is checked completely. */
const SMALL = 100
const SLICE_MS = 20

/**
 * The files of a repo's folder, and which of them changed since the last time. Links are not followed. Paths excluded by
 * `.gitignore`, nested repos, and folders that are never source are skipped.
 */
export class Tree {
  readonly #root: string
  readonly #folders = new Map<string, Folder>()
  readonly #watches: Watches
  #files = 0
  #sliceEnds = 0
  #next: Iterator<string> | undefined
  complete = true
  otherSources = 0

  constructor(root: string) {
    this.#root = root
    this.#watches = new Watches(root)
  }

  close(): void {
    this.#watches.close()
  }

  /** Scans the folder and reports the differences. Paths in `named` are always checked. */
  async refresh(named: readonly string[], findings: Findings): Promise<void> {
    this.#sliceEnds = performance.now() + SLICE_MS
    const changed = await this.#watches.take()
    if (this.#folders.size === 0) return this.#enter('', new IgnoreRules(), findings)
    const isWhole = !this.#watches.usable || this.#folders.size <= SMALL || !this.complete
    const folders = isWhole ? [...this.#folders.keys()] : [...new Set([...changed, ...named.map(parentOf), ...this.#someMore()])]
    for (const folder of folders) {
      if (this.#folders.has(folder)) await this.#look(folder, findings, changed.includes(folder))
    }
  }

  *#someMore(): Generator<string> {
    for (let count = 0; count < LOOKED_AT_ANYWAY; count++) {
      this.#next ??= this.#folders.keys()
      const { value, done } = this.#next.next()
      if (done) this.#next = undefined
      else yield value
    }
  }

  async #look(folder: string, findings: Findings, changed: boolean): Promise<void> {
    await this.#yieldToEventLoop()
    const known = this.#folders.get(folder) as Folder
    const lookedAt = Date.now()
    const stats = this.#stats(folder)
    if (!stats?.isDirectory()) return this.#leave(folder, findings)
    if (!changed && known.settled && known.stamp === stampOf(stats)) {
      for (const [name] of known.files) this.#file(known, below(folder, name), name, lookedAt, findings)
      if (this.#ignoreStamp(folder) === known.ignoreStamp) return
    }
    await this.#list(folder, known, findings)
  }

  async #enter(folder: string, rules: IgnoreRules, findings: Findings): Promise<void> {
    if (this.#folders.size >= MAX_FOLDERS || folder.split('/').length > MAX_DEPTH) {
      this.complete = false
      return
    }
    // Watched before it is read, so that changes in between are reported.
    this.#watches.add(folder)
    const ignoreStamp = this.#ignoreStamp(folder)
    const own = ignoreStamp === '' ? rules : rules.with(folder, join(this.#root, folder, '.gitignore'))
    const made: Folder = { files: new Map(), folders: new Set(), others: 0, rules: own, ignoreStamp, stamp: '', settled: false }
    this.#folders.set(folder, made)
    await this.#list(folder, made, findings)
  }

  async #list(folder: string, known: Folder, findings: Findings): Promise<void> {
    await this.#yieldToEventLoop()
    const lookedAt = Date.now()
    const stats = this.#stats(folder)
    const entries = stats?.isDirectory() ? this.#entries(folder) : undefined
    const isOther = folder !== '' && entries?.some(({ name }) => name === '.git')
    if (!entries || !stats || isOther) return this.#leave(folder, findings)
    if (this.#ignoreStamp(folder) !== known.ignoreStamp) return this.#rescan(folder, findings)
    known.stamp = stampOf(stats)
    known.settled = isSettled(stats, lookedAt)
    const names = new Set(entries.map(({ name }) => name))
    for (const name of known.files.keys()) if (!names.has(name)) this.#forget(known, below(folder, name), name, findings)
    for (const name of known.folders) if (!names.has(name)) this.#leave(below(folder, name), findings)
    this.otherSources -= known.others
    known.others = entries.filter(
      (entry) => entry.isFile() && isOtherSource(entry.name) && !known.rules.ignores(below(folder, entry.name)),
    ).length
    this.otherSources += known.others
    for (const entry of entries) await this.#entry(folder, known, entry, lookedAt, findings)
  }

  async #entry(folder: string, known: Folder, entry: Dirent, lookedAt: number, findings: Findings): Promise<void> {
    const path = below(folder, entry.name)
    if (entry.isDirectory()) {
      if (known.folders.has(entry.name) || FOLDERS_WITHOUT_SOURCES.has(entry.name) || known.rules.ignores(`${path}/`)) return
      known.folders.add(entry.name)
      await this.#enter(path, known.rules, findings)
    } else if (entry.isFile() && (languageOf(path) || isConfig(entry.name))) {
      if (known.files.has(entry.name) || !known.rules.ignores(path)) this.#file(known, path, entry.name, lookedAt, findings)
    }
  }

  #file(folder: Folder, path: string, name: string, lookedAt: number, findings: Findings): void {
    const stats = this.#stats(path)
    if (!stats?.isFile()) return this.#forget(folder, path, name, findings)
    const known = folder.files.get(name)
    const stamp = stampOf(stats)
    if (known?.settled && known.stamp === stamp) return
    if (!known && this.#files >= MAX_FILES) {
      this.complete = false
      return
    }
    if (!known) this.#files++
    // Watched files need not be suspected of having changed within a tick.
    const settled = this.#watches.usable || isSettled(stats, lookedAt)
    folder.files.set(name, { stamp, settled })
    findings.seen({ path, stats, settled })
  }

  /** Rescans a folder: when its `.gitignore` changes, everything below it may change. */
  async #rescan(folder: string, findings: Findings): Promise<void> {
    const parent = this.#folders.get(parentOf(folder))
    const rules = folder === '' || !parent ? new IgnoreRules() : parent.rules
    this.#leave(folder, findings)
    if (folder !== '') parent?.folders.add(folder.slice(folder.lastIndexOf('/') + 1))
    await this.#enter(folder, rules, findings)
  }

  #leave(folder: string, findings: Findings): void {
    const known = this.#folders.get(folder)
    if (!known) return
    this.#folders.delete(folder)
    this.otherSources -= known.others
    this.#watches.remove(folder)
    this.#next = undefined
    if (folder !== '') this.#folders.get(parentOf(folder))?.folders.delete(folder.slice(folder.lastIndexOf('/') + 1))
    for (const name of known.files.keys()) this.#forget(known, below(folder, name), name, findings)
    for (const name of known.folders) this.#leave(below(folder, name), findings)
  }

  #forget(folder: Folder, path: string, name: string, findings: Findings): void {
    if (!folder.files.delete(name)) return
    this.#files--
    findings.gone(path)
  }

  #ignoreStamp(folder: string): string {
    const stats = this.#stats(below(folder, '.gitignore'))
    return stats?.isFile() ? stampOf(stats) : ''
  }

  #stats(path: string): Stats | undefined {
    try {
      return lstatSync(path === '' ? `${this.#root}/.` : join(this.#root, path), { throwIfNoEntry: false })
    } catch {
      return undefined
    }
  }

  #entries(folder: string): Dirent[] | undefined {
    try {
      return readdirSync(join(this.#root, folder), { withFileTypes: true })
    } catch {
      return undefined
    }
  }

  /** Lets other questions be served in between. */
  async #yieldToEventLoop(): Promise<void> {
    if (performance.now() < this.#sliceEnds) return
    await new Promise(setImmediate)
    this.#sliceEnds = performance.now() + SLICE_MS
  }
}

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
