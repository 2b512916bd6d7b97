import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `./plugins/mine`, `/srv/mine.js`, `file:///srv/mine.js`: anything that is not the name of a package. */
const isPath = (name: string): boolean => /^(\.{1,2}([\\/]|$)|[\\/]|[A-Za-z]:[\\/]|file:)/.test(name)

/**
 * Resolves a plugin's name in the config file: a path relative to that file's folder, or an npm package as that folder sees it.
 * Node's own resolution would start at the importing module, which is the gateway's.
 */
export function locatePlugin(name: string, folder: string, builtIn: readonly string[]): string {
  const file = isPath(name) ? ofPath(name, folder) : ofPackage(name, folder, builtIn)
  if (/\.[cm]?tsx?$/.test(file)) throw new Error(`${file} is TypeScript, which cannot be loaded: compile it, and name the JavaScript file`)
  return file
}

const pathOf = (name: string, folder: string): string => (name.startsWith('file:') ? fileURLToPath(name) : resolve(folder, name))

function ofPath(name: string, folder: string): string {
  const path = pathOf(name, folder)
  if (!existsSync(path)) throw new Error(`${path} does not exist; correct the path, which is relative to ${folder}`)
  return statSync(path).isDirectory() ? entryOf(path, '.') : path
}

/** True if something of this name is installed; nothing else is required of a plugin that is switched off. */
export function isInstalled(name: string, folder: string): boolean {
  return isPath(name) ? existsSync(pathOf(name, folder)) : packageFolder(partsOf(name).packageName, folder) !== undefined
}

function ofPackage(name: string, folder: string, builtIn: readonly string[]): string {
  const { packageName, subpath } = partsOf(name)
  const found = packageFolder(packageName, folder)
  if (found !== undefined) return entryOf(found, subpath === '' ? '.' : `./${subpath}`)
  throw new Error(
    `no such plugin: built in are ${builtIn.join(', ') || 'none'}, and ${folder} has no package ${packageName}; ` +
      `correct the name, install the package there, or begin a path with ./`,
  )
}

function partsOf(name: string): { readonly packageName: string; readonly subpath: string } {
  const [, packageName = name, subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(name) ?? []
  return { packageName, subpath }
}

function packageFolder(packageName: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', packageName)
    if (existsSync(join(found, 'package.json'))) return found
    if (dirname(at) === at) return undefined
  }
}

interface Manifest {
  readonly exports?: Target
  readonly main?: string
}
type Target = string | null | { readonly [condition: string]: Target } | readonly Target[]

/** Reads a package.json like `import`: `exports` before `main`. */
function entryOf(packageFolder: string, subpath: string): string {
  const manifest = join(packageFolder, 'package.json')
  if (!existsSync(manifest)) throw new Error(`${packageFolder} has no package.json; name the plugin’s JavaScript file, or its package`)
  const { exports, main } = readManifest(manifest)
  const entry = exports === undefined ? (subpath === '.' ? (main ?? 'index.js') : subpath) : pick(forSubpath(exports, subpath))
  if (entry === undefined) throw new Error(`${manifest} exports no ${subpath} to an import; see its \`exports\``)
  const named = join(packageFolder, entry)
  const isMain = exports === undefined && subpath === '.'
  const file = isMain ? ([named, `${named}.js`, join(named, 'index.js')].find(isFile) ?? named) : named
  if (!isFile(file)) throw new Error(`${manifest} names ${file}, which does not exist; build the package first`)
  return file
}

function readManifest(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${(error as Error).message}; correct it`)
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

function forSubpath(exports: Target, subpath: string): Target | undefined {
  const bySubpath = typeof exports === 'object' && exports !== null && !Array.isArray(exports) && Object.keys(exports)[0]?.startsWith('.')
  if (bySubpath) return (exports as Record<string, Target>)[subpath]
  return subpath === '.' ? exports : undefined
}

const CONDITIONS = new Set(['import', 'node', 'module-sync', 'default'])

function pick(target: Target | undefined): string | undefined {
  if (typeof target === 'string') return target
  if (typeof target !== 'object' || target === null) return undefined
  const candidates = Array.isArray(target)
    ? (target as readonly Target[])
    : Object.entries(target).flatMap(([condition, one]) => (CONDITIONS.has(condition) ? [one as Target] : []))
  for (const candidate of candidates) {
    const found = pick(candidate)
    if (found !== undefined) return found
  }
  return undefined
}
