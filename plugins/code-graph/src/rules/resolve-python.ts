import { join, nameOf, parentOf } from './paths.ts'
import type { Configs, Resolution, SourceFiles } from './resolve.ts'

/** Where modules of Python are: beside the script, in the root of a package, in the repo, in the folders of its projects. */
export class PythonResolver {
  readonly #files: SourceFiles
  readonly #projects: readonly string[]
  readonly #known = new Map<string, Resolution>()

  constructor(files: SourceFiles, configs: Configs) {
    this.#files = files
    const projects = [...configs.keys()].filter((path) => ['pyproject.toml', 'setup.py'].includes(nameOf(path))).map(parentOf)
    this.#projects = ['', ...projects].flatMap((folder) => [folder, folder === '' ? 'src' : `${folder}/src`])
  }

  /** The module, or the package’s own file. */
  resolve(from: string, module: string): Resolution {
    const folder = parentOf(from)
    const key = `${folder}\0${module}`
    const known = this.#known.get(key)
    if (known) return known
    const found = this.#find(folder, module)
    this.#known.set(key, found)
    return found
  }

  /** `from module import name`, where the name is a module itself. */
  submodule(from: string, module: string, name: string): string | undefined {
    return this.resolve(from, module.endsWith('.') ? module + name : `${module}.${name}`).file
  }

  #find(folder: string, module: string): Resolution {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0
    const path = module.slice(dots).replaceAll('.', '/')
    if (dots > 0) {
      const base = join(folder, `${'../'.repeat(dots - 1)}${path}`)
      if (base === undefined) return {}
      const file = this.#at(base)
      return file === undefined ? { missing: base } : { file }
    }
    for (const root of [this.#packageRoot(folder), folder, ...this.#projects]) {
      const file = this.#at(join(root, path) ?? '')
      if (file !== undefined) return { file }
    }
    return { package: module.split('.')[0] ?? module }
  }

  #at(base: string): string | undefined {
    return [`${base}/__init__.py`, `${base}.py`, `${base}/__init__.pyi`, `${base}.pyi`].find((path) => this.#files.has(path))
  }

  #packageRoot(folder: string): string {
    let at = folder
    while (at !== '' && this.#files.has(`${at}/__init__.py`)) at = parentOf(at)
    return at
  }
}
