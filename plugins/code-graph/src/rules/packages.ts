import { filesAt, filesOfPackage, type JsFiles } from './js-files.ts'
import { targetsFor } from './package-targets.ts'
import { join, nameOf, parentOf, stemOf, upwards } from './paths.ts'
import type { Configs } from './resolve.ts'

type Manifest = Readonly<Record<string, unknown>>
const MAIN = ['source', 'types', 'typings', 'module', 'main', 'browser', 'react-native'] as const
/** Fields that replace files or packages where the code runs there. */
const REPLACING = ['browser', 'react-native'] as const
const MAX_TARGETS = 100

/** The packages that are part of the repo, as their manifests name them. */
export class Packages {
  readonly #files: JsFiles
  readonly #configs: Configs
  readonly #folders = new Map<string, string>()
  /** Replacements by the path that is replaced, or `folder\0package`. */
  readonly #replacements = new Map<string, string[]>()
  /** Names that are replaced, by the last part of the replacing path without its ending. */
  readonly #aliases = new Map<string, string[]>()

  constructor(files: JsFiles, configs: Configs) {
    this.#files = files
    this.#configs = configs
    for (const [path, manifest] of configs) {
      if (nameOf(path) !== 'package.json' || typeof manifest !== 'object' || manifest === null) continue
      const { name } = manifest as Manifest
      if (typeof name === 'string' && !this.#folders.has(name)) this.#folders.set(name, parentOf(path))
      this.#readReplacements(parentOf(path), manifest as Manifest)
    }
  }

  /** The files of `name/sub`; `undefined` when the repo has no such package. */
  find(specifier: string): readonly string[] | undefined {
    const parts = specifier.split('/')
    const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
    const folder = this.#folders.get(name)
    return folder === undefined ? undefined : this.#entry(folder, specifier.slice(name.length + 1))
  }

  /** Names of the packages whose folder a file is in; `#` for the names that manifests give to their own files. */
  around(file: string): readonly string[] {
    const names = [...this.#folders].filter(([, folder]) => folder === '' || file.startsWith(`${folder}/`)).map(([name]) => name)
    return [...names, '#']
  }

  /** Specifiers that may lead to a file of this name because a manifest replaces what they name. */
  aliases(file: string): readonly string[] {
    return this.#aliases.get(stemOf(nameOf(file))) ?? []
  }

  /** `#name`: the files that the nearest manifest maps it to. */
  own(folder: string, specifier: string): readonly string[] {
    for (const at of upwards(folder)) {
      const manifest = this.#manifest(at)
      if (manifest) return this.#existing(at, targetsFor(manifest.imports, specifier))
    }
    return []
  }

  /** The files that a folder with a manifest stands for. */
  main(folder: string): readonly string[] {
    const manifest = this.#manifest(folder)
    return manifest
      ? this.#existing(
          folder,
          MAIN.flatMap((field) => (typeof manifest[field] === 'string' ? [manifest[field]] : [])),
        )
      : []
  }

  /** Files that replace this one, or a package for importers in this folder, in a browser or a native app. */
  replacements(of: { readonly file: string } | { readonly folder: string; readonly specifier: string }): readonly string[] {
    if (this.#replacements.size === 0) return []
    if ('file' in of) return this.#replacements.get(of.file) ?? []
    for (const at of upwards(of.folder)) if (this.#manifest(at)) return this.#replacements.get(`${at}\0${of.specifier}`) ?? []
    return []
  }

  #readReplacements(folder: string, manifest: Manifest): void {
    for (const field of REPLACING) {
      const map = manifest[field]
      if (typeof map !== 'object' || map === null) continue
      for (const [from, to] of Object.entries(map).slice(0, MAX_TARGETS)) {
        if (typeof to !== 'string') continue
        push(this.#aliases, stemOf(nameOf(to)), [from])
        const targets = filesOfPackage(this.#files, folder, to)
        const keys = from.startsWith('.') ? filesOfPackage(this.#files, folder, from) : [`${folder}\0${from}`]
        for (const key of keys) push(this.#replacements, key, targets)
      }
    }
  }

  #entry(folder: string, sub: string): readonly string[] {
    const { exports } = this.#manifest(folder) ?? {}
    const exported = exports === undefined ? [] : this.#existing(folder, targetsFor(exports, sub === '' ? '.' : `./${sub}`))
    if (exported.length > 0) return exported
    const ways =
      sub === ''
        ? [() => this.main(folder), () => this.#at(join(folder, 'src')), () => this.#at(folder)]
        : [() => filesOfPackage(this.#files, folder, sub), () => this.#at(join(folder, `src/${sub}`))]
    for (const way of ways) {
      const found = way()
      if (found.length > 0) return found
    }
    return []
  }

  #at(path: string | undefined): readonly string[] {
    return path === undefined ? [] : filesAt(this.#files, path)
  }

  /** All that exist: which one an import takes is decided by whoever builds or runs it. */
  #existing(folder: string, targets: readonly string[]): readonly string[] {
    return [...new Set(targets.slice(0, MAX_TARGETS).flatMap((target) => filesOfPackage(this.#files, folder, target)))]
  }

  #manifest(folder: string): Manifest | undefined {
    const found = this.#configs.get(folder === '' ? 'package.json' : `${folder}/package.json`)
    return typeof found === 'object' && found !== null ? (found as Manifest) : undefined
  }
}

function push(map: Map<string, string[]>, key: string, values: readonly string[]): void {
  map.set(key, [...(map.get(key) ?? []), ...values])
}
