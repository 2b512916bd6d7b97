import { join, nameOf, parentOf, upwards } from './paths.ts'
import { isLibraryModule, isLibraryName } from './python-library.ts'
import { type Configs, NO_TARGET, type Resolution, type SourceFiles } from './resolve.ts'

const PROJECT_FILES = new Set(['pyproject.toml', 'setup.py', 'setup.cfg'])

/**
 * Finds modules where Python looks for them. An absolute import begins at a root: the folder around the outermost package, which
 * is the file's own folder only if that is not a package; folders of tests; the repo and its projects, each with its `src`. The
 * standard library is never a file of the repo.
 */
export class PythonResolver {
  readonly #files: SourceFiles
  readonly #projects: readonly string[]
  readonly #roots = new Map<string, readonly string[]>()
  readonly #known = new Map<string, Resolution>()

  constructor(files: SourceFiles, configs: Configs) {
    this.#files = files
    const projects = [...configs.keys()].filter((path) => PROJECT_FILES.has(nameOf(path))).map(parentOf)
    this.#projects = ['', ...projects].flatMap((folder) => [folder, folder === '' ? 'src' : `${folder}/src`])
  }

  /** Resolves to the module, or the package's own file. */
  resolve(from: string, module: string): Resolution {
    const folder = parentOf(from)
    const key = `${folder}\0${module}`
    const known = this.#known.get(key)
    if (known) return known
    const found = this.#find(folder, module)
    this.#known.set(key, found)
    return found
  }

  /** Resolves `from module import name`, where the name is a module itself. */
  submodule(from: string, module: string, name: string): string | undefined {
    if (isLibraryName(module)) return undefined
    return this.resolve(from, module.endsWith('.') ? module + name : `${module}.${name}`).files?.[0]
  }

  #find(folder: string, module: string): Resolution {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0
    const path = module.slice(dots).replaceAll('.', '/')
    if (dots > 0) {
      const base = join(folder, `${'../'.repeat(dots - 1)}${path}`)
      if (base === undefined) return NO_TARGET
      const file = this.#at(base)
      return file === undefined ? { missing: base } : { files: [file] }
    }
    if (isLibraryModule(module)) return NO_TARGET
    for (const root of this.#rootsOf(folder)) {
      const file = this.#at(join(root, path) ?? '')
      if (file !== undefined) return { files: [file] }
    }
    return { package: module.split('.')[0] ?? module }
  }

  #rootsOf(folder: string): readonly string[] {
    let roots = this.#roots.get(folder)
    if (!roots) this.#roots.set(folder, (roots = [...new Set([this.#packageRoot(folder), ...this.#testRoots(folder), ...this.#projects])]))
    return roots
  }

  #packageRoot(folder: string): string {
    let at = folder
    while (at !== '' && this.#files.has(`${at}/__init__.py`)) at = parentOf(at)
    return at
  }

  /** Test runners add the folder of a `conftest.py` that is not a package to the path. */
  #testRoots(folder: string): readonly string[] {
    return [...upwards(folder)].filter((at) => at !== '' && this.#files.has(`${at}/conftest.py`) && !this.#files.has(`${at}/__init__.py`))
  }

  #at(base: string): string | undefined {
    return [`${base}/__init__.py`, `${base}.py`, `${base}/__init__.pyi`, `${base}.pyi`].find((path) => this.#files.has(path))
  }
}
