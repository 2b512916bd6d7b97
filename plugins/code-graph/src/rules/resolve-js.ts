import { builtinModules } from 'node:module'
import { fileAt, indexAt } from './js-files.ts'
import { Packages } from './packages.ts'
import { join, parentOf } from './paths.ts'
import type { Configs, Resolution, SourceFiles } from './resolve.ts'
import { TsPaths } from './tsconfig.ts'

const BUILTIN = new Set(builtinModules)
/** Specifiers that mean a folder, also where a file beside it has its name: `.`, `..`, `./lib/`. */
const FOLDER = /(?:^|\/)\.{0,2}\/?$/

/** Where specifiers of JavaScript and TypeScript lead, as TypeScript and bundlers find out. */
export class JsResolver {
  readonly #files: SourceFiles
  readonly #paths: TsPaths
  readonly #packages: Packages
  readonly #known = new Map<string, Map<string, Resolution>>()

  constructor(files: SourceFiles, configs: Configs) {
    this.#files = files
    this.#paths = new TsPaths(configs)
    this.#packages = new Packages(files, configs)
  }

  /** The same for all files of a folder. */
  resolve(from: string, specifier: string): Resolution {
    const folder = parentOf(from)
    let known = this.#known.get(folder)
    if (!known) this.#known.set(folder, (known = new Map()))
    let found = known.get(specifier)
    // A query is for the bundler: `./icon?raw`.
    if (!found) known.set(specifier, (found = this.#find(folder, specifier.replace(/[?].*$/, ''))))
    return found
  }

  packagesOf(file: string): readonly string[] {
    return this.#packages.around(file)
  }

  #find(folder: string, to: string): Resolution {
    if (/^\.{1,2}(?:\/|$)/.test(to)) return this.#inRepo(join(folder, to), FOLDER.test(to) ? indexAt : fileAt)
    if (to.startsWith('/')) return this.#inRepo(join('', to))
    if (to.startsWith('#')) {
      const own = this.#packages.own(folder, to)
      if (own !== undefined) return { file: own }
    }
    for (const candidate of this.#paths.candidates(folder, to)) {
      const { file } = this.#inRepo(candidate)
      if (file !== undefined) return { file }
    }
    if (to.startsWith('node:') || BUILTIN.has(to)) return {}
    const part = this.#packages.find(to)
    if (part) return part
    return isPackage(to)
      ? {
          package: to
            .split('/')
            .slice(0, to.startsWith('@') ? 2 : 1)
            .join('/'),
        }
      : {}
  }

  #inRepo(base: string | undefined, at = fileAt): Resolution {
    if (base === undefined) return {}
    const file = at(this.#files, base) ?? this.#packages.main(base)
    return file === undefined ? { missing: base } : { file }
  }
}

function isPackage(name: string): boolean {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?:\/|$)/.test(name)
}
