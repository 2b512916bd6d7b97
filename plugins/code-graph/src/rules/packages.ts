import { fileAt, fileOfPackage } from './js-files.ts'
import { join, nameOf, parentOf, upwards } from './paths.ts'
import type { Configs, SourceFiles } from './resolve.ts'
import { holeOf } from './tsconfig.ts'

type Manifest = Readonly<Record<string, unknown>>
const MAIN = ['source', 'types', 'typings', 'module', 'main'] as const
const MAX_TARGETS = 100

/** The packages that are part of the repo, as their manifests name them. */
export class Packages {
  readonly #files: SourceFiles
  readonly #configs: Configs
  readonly #folders = new Map<string, string>()

  constructor(files: SourceFiles, configs: Configs) {
    this.#files = files
    this.#configs = configs
    for (const [path, manifest] of configs) {
      const name = (manifest as Manifest | undefined)?.name
      if (nameOf(path) === 'package.json' && typeof name === 'string' && !this.#folders.has(name)) this.#folders.set(name, parentOf(path))
    }
  }

  /** Where `name/sub` leads; `undefined` when the repo has no such package. */
  find(specifier: string): { readonly file?: string } | undefined {
    const parts = specifier.split('/')
    const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
    const folder = this.#folders.get(name)
    if (folder === undefined) return undefined
    const file = this.#entry(folder, specifier.slice(name.length + 1))
    return file === undefined ? {} : { file }
  }

  /** Those whose folder a file is in; `#` for the names that manifests give to their own files. */
  around(file: string): readonly string[] {
    const names = [...this.#folders].filter(([, folder]) => folder === '' || file.startsWith(`${folder}/`)).map(([name]) => name)
    return [...names, '#']
  }

  /** `#name`: what the nearest manifest maps it to. */
  own(folder: string, specifier: string): string | undefined {
    for (const at of upwards(folder)) {
      const manifest = this.#manifest(at)
      if (!manifest) continue
      return this.#first(at, targetsFor(manifest.imports, specifier))
    }
    return undefined
  }

  /** What a folder with a manifest stands for. */
  main(folder: string): string | undefined {
    const manifest = this.#manifest(folder)
    return (
      manifest &&
      this.#first(
        folder,
        MAIN.flatMap((field) => manifest[field] ?? []),
      )
    )
  }

  #entry(folder: string, sub: string): string | undefined {
    const { exports } = this.#manifest(folder) ?? {}
    const exported = exports === undefined ? undefined : this.#first(folder, targetsFor(exports, sub === '' ? '.' : `./${sub}`))
    if (exported !== undefined) return exported
    if (sub === '') return this.main(folder) ?? fileAt(this.#files, join(folder, 'src') ?? '') ?? fileAt(this.#files, folder)
    return fileOfPackage(this.#files, folder, sub) ?? fileAt(this.#files, join(folder, `src/${sub}`) ?? '')
  }

  #first(folder: string, targets: readonly unknown[]): string | undefined {
    for (const target of targets.slice(0, MAX_TARGETS)) {
      const found = typeof target === 'string' ? fileOfPackage(this.#files, folder, target) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  #manifest(folder: string): Manifest | undefined {
    const found = this.#configs.get(folder === '' ? 'package.json' : `${folder}/package.json`)
    return typeof found === 'object' && found !== null ? (found as Manifest) : undefined
  }
}

/** All that an `exports` or `imports` field leads to for a key, whatever the condition, in its order. */
function targetsFor(field: unknown, key: string): string[] {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return key === '.' ? leaves(field) : []
  const entries = Object.entries(field)
  if (!entries.some(([name]) => name.startsWith('.') || name.startsWith('#'))) return key === '.' ? leaves(field) : []
  const matches = entries.flatMap(([pattern, value]) => {
    const hole = holeOf(pattern, key)
    return hole === undefined ? [] : [{ pattern, hole, value }]
  })
  const [best] = matches.sort(
    (a, b) => Number(a.pattern.includes('*')) - Number(b.pattern.includes('*')) || b.pattern.length - a.pattern.length,
  )
  return best ? leaves(best.value).map((target) => target.replaceAll('*', () => best.hole)) : []
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}
