import { join, nameOf, parentOf, upwards } from './paths.ts'
import type { Configs } from './resolve.ts'

interface TsConfig {
  readonly extends?: string | readonly string[]
  readonly references?: readonly { readonly path?: string }[]
  readonly compilerOptions?: { readonly baseUrl?: string; readonly paths?: Readonly<Record<string, readonly string[]>> }
}
interface PathOptions {
  readonly base?: string | undefined
  readonly paths?: readonly (readonly [pattern: string, targets: readonly string[]])[] | undefined
}

const MAX_EXTENDS = 10
/** Configurations that are read for one folder. */
const MAX_READ = 500

/** Path settings of tsconfig files; the nearest one above a file applies. */
export class TsPaths {
  readonly #configs: Configs
  readonly #options = new Map<string, PathOptions>()
  #count = 0

  constructor(configs: Configs) {
    this.#configs = configs
  }

  /** Returns the paths a specifier may mean, in the order in which they are tried. */
  candidates(folder: string, specifier: string): readonly string[] {
    const { base, paths = [] } = this.#of(folder)
    const mapped = longest(paths, specifier)
    return [...mapped, ...(base === undefined ? [] : [join(base, specifier)])].flatMap((path) => path ?? [])
  }

  exact(folder: string, specifier: string): readonly string[] {
    return this.#of(folder).paths?.find(([pattern]) => pattern === specifier)?.[1] ?? []
  }

  #of(folder: string): PathOptions {
    const known = this.#options.get(folder)
    if (known) return known
    let found: PathOptions = {}
    for (const at of upwards(folder)) {
      const name = ['tsconfig.json', 'jsconfig.json'].map((one) => (at === '' ? one : `${at}/${one}`)).find((one) => this.#configs.has(one))
      if (name === undefined) continue
      this.#count = 0
      found = this.#read(name, at, 0)
      break
    }
    this.#options.set(folder, found)
    return found
  }

  /** `own` is the folder of the configuration that others are read for: `${configDir}` in their paths. */
  #read(path: string, own: string, depth: number): PathOptions {
    const config = this.#configs.get(path) as TsConfig | undefined
    if (depth > MAX_EXTENDS || ++this.#count > MAX_READ || typeof config !== 'object' || config === null) return {}
    const folder = parentOf(path)
    const { baseUrl, paths } = config.compilerOptions ?? {}
    const parents = [config.extends ?? []].flat().map((name) => this.#read(this.#extended(folder, String(name)), own, depth + 1))
    const base = typeof baseUrl === 'string' ? placed(baseUrl, folder, own) : parents.findLast((one) => one.base !== undefined)?.base
    const mapped = paths && typeof paths === 'object' ? targets(paths, base ?? folder, own) : parents.findLast((one) => one.paths)?.paths
    if (mapped || !Array.isArray(config.references)) return { base, paths: mapped }
    // A solution file: its referenced projects are compiled with paths of their own.
    const referred = config.references.map(({ path: to }) => {
      const name = existing(join(folder, String(to)), this.#configs)
      return this.#read(name, parentOf(name), depth + 1)
    })
    return { base, paths: referred.flatMap((one) => one.paths ?? []) }
  }

  /** A file beside it, or one of a package of the repo: `@acme/tsconfig/base.json`. */
  #extended(folder: string, name: string): string {
    if (/^\.{1,2}(?:\/|$)/.test(name)) return existing(join(folder, name), this.#configs)
    const parts = name.split('/')
    const ofPackage = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/')
    for (const [path, config] of this.#configs) {
      const isNamed = nameOf(path) === 'package.json' && (config as { name?: unknown } | undefined)?.name === ofPackage
      if (isNamed) return existing(join(parentOf(path), name.slice(ofPackage.length + 1)), this.#configs)
    }
    return ''
  }
}

function existing(path = '', configs: Configs): string {
  return [path, `${path}.json`, `${path === '' ? '' : `${path}/`}tsconfig.json`].find((one) => configs.has(one)) ?? ''
}

/** A path of a configuration in `folder`, which may be extended by the one in `own`. */
function placed(path: string, folder: string, own: string): string | undefined {
  const [, rest] = /^\$\{configDir\}(.*)$/.exec(path) ?? []
  return rest === undefined ? join(folder, path) : join(own, rest)
}

function targets(paths: Readonly<Record<string, unknown>>, base: string, own: string): (readonly [string, readonly string[]])[] {
  return Object.entries(paths).map(([pattern, list]) => [
    pattern,
    (Array.isArray(list) ? list : []).flatMap((one) => (typeof one === 'string' ? (placed(one, base, own) ?? []) : [])),
  ])
}

/** Returns the paths of the matching pattern with the longest prefix. */
function longest(paths: readonly (readonly [string, readonly string[]])[], specifier: string): readonly string[] {
  let best: { readonly length: number; readonly found: readonly string[] } = { length: -1, found: [] }
  for (const [pattern, targets] of paths) {
    const hole = holeOf(pattern, specifier)
    const length = pattern.includes('*') ? pattern.indexOf('*') : Number.POSITIVE_INFINITY
    if (hole !== undefined && length > best.length) best = { length, found: targets.map((target) => target.replace('*', () => hole)) }
  }
  return best.found
}

/** Returns the text that replaces the `*` of a pattern: '' if an equal pattern has no `*`, `undefined` if it does not match. */
export function holeOf(pattern: string, text: string): string | undefined {
  const at = pattern.indexOf('*')
  if (at < 0) return pattern === text ? '' : undefined
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)]
  const fits = text.startsWith(head) && text.endsWith(tail) && text.length >= head.length + tail.length
  return fits ? text.slice(head.length, text.length - tail.length) : undefined
}
