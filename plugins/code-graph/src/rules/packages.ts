import { filesAt, filesOfPackage, type JsFiles } from './js-files.ts'
import { targetsFor } from './package-targets.ts'
import { join, nameOf, parentOf, stemOf, upwards } from './paths.ts'
import type { Configs } from './resolve.ts'
import { Workspaces } from './workspaces.ts'

type Manifest = Readonly<Record<string, unknown>>
const MAIN = ['source', 'types', 'typings', 'module', 'main', 'browser', 'react-native'] as const
/** Fields that replace files or packages on a specific runtime. */
const REPLACING = ['browser', 'react-native'] as const
const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
const MAX_TARGETS = 100

interface Package {
  readonly folder: string
  /** `undefined` for one that only its own files know by its name. */
  readonly scope: string | undefined
}

export class Packages {
  readonly #files: JsFiles
  readonly #configs: Configs
  /** Packages by their names, with the folder within which they are known. */
  readonly #packages = new Map<string, Package[]>()
  /** Replacements by the path that is replaced, or `folder\0package`. */
  readonly #replacements = new Map<string, string[]>()
  /** Names that are replaced, by the last part of the replacing path without its ending. */
  readonly #aliases = new Map<string, string[]>()

  constructor(files: JsFiles, configs: Configs) {
    this.#files = files
    this.#configs = configs
    const workspaces = new Workspaces(configs)
    for (const [path, manifest] of configs) {
      if (nameOf(path) !== 'package.json' || typeof manifest !== 'object' || manifest === null) continue
      const { name } = manifest as Manifest
      const folder = parentOf(path)
      if (typeof name === 'string') push(this.#packages, name, [{ folder, scope: workspaces.scopeOf(folder) }])
      this.#readReplacements(folder, manifest as Manifest)
    }
  }

  /** The files of `name/sub` for importers in a folder; `undefined` when they get no package of that name from the repo. */
  find(from: string, specifier: string): readonly string[] | undefined {
    const parts = specifier.split('/')
    const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
    const folder = this.#linked(from, name) ?? this.#named(from, name)
    return folder === undefined ? undefined : this.#entry(folder, specifier.slice(name.length + 1))
  }

  /** A package that is imported from itself, else the one of the nearest workspaces. */
  #named(from: string, name: string): string | undefined {
    const all = this.#packages.get(name) ?? []
    const known = all.filter(({ folder, scope }) => isBelow(from, folder) || (scope !== undefined && isBelow(from, scope)))
    const [best] = known.sort(
      (a, b) => Number(isBelow(from, b.folder)) - Number(isBelow(from, a.folder)) || (b.scope ?? '').length - (a.scope ?? '').length,
    )
    return best?.folder
  }

  /** The folder that the importer's manifest names for a package: `"lib": "file:../lib"`. */
  #linked(from: string, name: string): string | undefined {
    for (const at of upwards(from)) {
      const manifest = this.#manifest(at)
      if (!manifest) continue
      const specs = DEPENDENCIES.map((field) => (manifest[field] as Readonly<Record<string, unknown>> | undefined)?.[name])
      const [, path] = /^(?:file|link|portal):(.+)$/.exec(String(specs.find((spec) => typeof spec === 'string') ?? '')) ?? []
      const folder = path === undefined ? undefined : join(at, path)
      return folder !== undefined && this.#manifest(folder) ? folder : undefined
    }
    return undefined
  }

  /** Returns the names of the packages whose folder contains a file; `#` for the names that manifests give to their own files. */
  around(file: string): readonly string[] {
    const names = [...this.#packages].filter(([, all]) => all.some(({ folder }) => isBelow(file, folder))).map(([name]) => name)
    return [...names, '#']
  }

  /** Returns specifiers that may lead to a file of this name because a manifest replaces their target. */
  aliases(file: string): readonly string[] {
    return this.#aliases.get(stemOf(nameOf(file))) ?? []
  }

  /** Returns the files that the nearest manifest maps `#name` to. */
  own(folder: string, specifier: string): readonly string[] {
    for (const at of upwards(folder)) {
      const manifest = this.#manifest(at)
      if (manifest) return this.#existing(at, targetsFor(manifest.imports, specifier))
    }
    return []
  }

  main(folder: string): readonly string[] {
    const manifest = this.#manifest(folder)
    return manifest
      ? this.#existing(
          folder,
          MAIN.flatMap((field) => (typeof manifest[field] === 'string' ? [manifest[field]] : [])),
        )
      : []
  }

  /** Returns files that replace this one, or a package for importers in this folder, in a browser or a native app. */
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

  /** Returns all targets that exist: the build or the runtime decides which one an import takes. */
  #existing(folder: string, targets: readonly string[]): readonly string[] {
    return [...new Set(targets.slice(0, MAX_TARGETS).flatMap((target) => filesOfPackage(this.#files, folder, target)))]
  }

  #manifest(folder: string): Manifest | undefined {
    const found = this.#configs.get(folder === '' ? 'package.json' : `${folder}/package.json`)
    return typeof found === 'object' && found !== null ? (found as Manifest) : undefined
  }
}

const isBelow = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`)

function push<T>(map: Map<string, T[]>, key: string, values: readonly T[]): void {
  map.set(key, [...(map.get(key) ?? []), ...values])
}
