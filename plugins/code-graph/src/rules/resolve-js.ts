import { builtinModules } from 'node:module'
import { filesAt, indexesAt, type JsFiles } from './js-files.ts'
import { Packages } from './packages.ts'
import { join, parentOf } from './paths.ts'
import { type Configs, NO_TARGET, type Resolution, toFiles } from './resolve.ts'
import { TsPaths } from './tsconfig.ts'

const BUILTIN = new Set(builtinModules)
/** Specifiers that mean a folder, even if a file next to it has its name: `.`, `..`, `./lib/`. */
const FOLDER = /(?:^|\/)\.{0,2}\/?$/

/** Resolves specifiers of JavaScript and TypeScript, as TypeScript and bundlers do. */
export class JsResolver {
  readonly #files: JsFiles
  readonly #paths: TsPaths
  readonly #packages: Packages
  readonly #known = new Map<string, Map<string, Resolution>>()

  constructor(files: JsFiles, configs: Configs) {
    this.#files = files
    this.#paths = new TsPaths(configs)
    this.#packages = new Packages(files, configs)
  }

  /** The result is the same for all files of a folder. */
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

  aliasesOf(file: string): readonly string[] {
    return this.#packages.aliases(file)
  }

  #find(folder: string, to: string): Resolution {
    const { files = [], ...found } = this.#target(folder, to)
    const replacing = [
      ...this.#packages.replacements({ folder, specifier: to }),
      ...files.flatMap((file) => this.#packages.replacements({ file })),
    ]
    return replacing.length === 0 && files.length === 0 ? found : { ...found, files: [...new Set([...files, ...replacing])] }
  }

  #target(folder: string, to: string): Resolution {
    if (/^\.{1,2}(?:\/|$)/.test(to)) return this.#inRepo(join(folder, to), FOLDER.test(to) ? indexesAt : filesAt)
    if (to.startsWith('/')) return this.#inRepo(join('', to))
    if (to.startsWith('#')) {
      const own = this.#packages.own(folder, to)
      if (own.length > 0) return { files: own }
    }
    const isBuiltin = to.startsWith('node:') || BUILTIN.has(to)
    // TypeScript takes the first that exists. A Node module is replaced only if its exact name is mapped.
    for (const candidate of isBuiltin ? this.#paths.exact(folder, to) : this.#paths.candidates(folder, to)) {
      const { files } = this.#inRepo(candidate)
      if (files) return { files }
    }
    if (isBuiltin) return NO_TARGET
    const part = this.#packages.find(folder, to)
    if (part) return toFiles(part)
    if (!isPackage(to)) return NO_TARGET
    const parts = to.split('/')
    return { package: parts.slice(0, to.startsWith('@') ? 2 : 1).join('/') }
  }

  #inRepo(base: string | undefined, at = filesAt): Resolution {
    if (base === undefined) return NO_TARGET
    const files = at(this.#files, base)
    return toFiles(files.length > 0 ? files : this.#packages.main(base), { missing: base })
  }
}

function isPackage(name: string): boolean {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?:\/|$)/.test(name)
}
