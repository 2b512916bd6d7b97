import { readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { filesUnder, workspaces } from '../workspaces.mjs'

export interface Import {
  /** The importing file, relative to the root. */
  readonly from: string
  /** Its workspace: `kernel/http`, `plugins/tasks`. */
  readonly workspace: string
  /** The imported file, relative to the root, or package with its subpath. */
  readonly to: string
  readonly relative: boolean
  readonly dynamic: boolean
  /** True if the import disappears at run time. */
  readonly typeOnly: boolean
  /**
   * True for Node itself, or if named in the workspace's package.json: among the dependencies, or, for types alone, the
   * devDependencies.
   */
  readonly declared: boolean
}

const STATIC =
  /^(?:import|export)\s+(type\s+)?(?:[\w$]+\s*,\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\}|[\w$]+)\s*from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm
const DYNAMIC = /^(?!\s*(?:\*|\/\/)).*\bimport\(\s*['"]([^'"]+)['"]/gm

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

export function* imports(root: string): Generator<Import> {
  for (const workspace of workspaces(root)) yield* importsIn(root, workspace, 'src')
}

export function* importsIn(root: string, workspace: string, folder: string): Generator<Import> {
  const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const known = new Set([manifest.name, ...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})])
  const forTypes = new Set(Object.keys(manifest.devDependencies ?? {}))
  for (const { path } of filesUnder(join(root, workspace, folder))) {
    const text = readFileSync(path, 'utf8')
    const from = relative(root, path)
    const found = (specifier: string, dynamic: boolean, typeOnly = false): Import => ({
      from,
      workspace,
      to: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier,
      relative: specifier.startsWith('.'),
      dynamic,
      typeOnly,
      declared: specifier.startsWith('node:') || known.has(packageOf(specifier)) || (typeOnly && forTypes.has(packageOf(specifier))),
    })
    for (const match of text.matchAll(STATIC)) yield found(match[2] ?? match[3] ?? '', false, match[1] !== undefined)
    for (const match of text.matchAll(DYNAMIC)) yield found(match[1] ?? '', true)
  }
}
