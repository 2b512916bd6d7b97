/**
 * Checks the imports between packages. The layers hold only if no import bypasses them, so each import in a workspace's src is
 * checked against the rules below. Types count too: a type that leaks binds as firmly as a value.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesUnder, root as repository, workspaces } from './workspaces.mjs'

interface Import {
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

export interface Rule {
  readonly says: string
  readonly breaks: (one: Import) => boolean
}

const isPlugin = (name: string) => name.startsWith('plugins/') || name.startsWith('@gateway/plugin-') || name === '@gateway/standard'
/**
 * The parts of the kernel by their floor: a part imports from lower floors only, so that none can depend on a part above it.
 * A package's name is `@gateway/` and its folder's, except for the core, which is `@gateway/kernel`.
 */
const KERNEL_FLOORS = [
  ['storage', 'loader', 'metrics', 'validation', 'waiting'],
  ['settings'],
  ['kernel'],
  ['storage-sqlite', 'storage-mongodb', 'jobs', 'audit', 'nodes', 'mcp', 'pages'],
  ['http', 'stdio-bridge'],
  ['defaults'],
  ['testing'],
  ['cli'],
]
const partOf = (name: string) => {
  const [, folder, named] = /^(?:(?:kernel|bin)\/([^/]+)|@gateway\/([^/]+))/.exec(name) ?? []
  return folder === 'core' ? 'kernel' : (folder ?? named)
}
const kernelFloor = (name: string) => KERNEL_FLOORS.findIndex((parts) => parts.includes(partOf(name) ?? ''))
const isKernel = (name: string) => /^(?:kernel|bin)\//.test(name) || kernelFloor(name) >= 0
/** An example counts as a third party's plugin. */
const isPluginFile = (path: string) => path.startsWith('plugins/') || path.startsWith('examples/')
const isPluginApi = (name: string) => /^@gateway\/plugin-[^/]+\/api$/.test(name)
const isPluginRoot = (name: string) => /^@gateway\/plugin-[^/]+$/.test(name)
/** Entries of the SDK for plugins at run time: the rest of the SDK is for tests. */
const isContract = (name: string) => /^@gateway\/sdk(?:\/(?:alerting|bounds|cron|front-matter|json|portable|redact|ring))?$/.test(name)
const isOfHouse = (name: string) => name.startsWith('@gateway/')
const isOutside = (one: Import) => !one.relative && !one.to.startsWith('node:')

/** The floors of a plugin's `src`, from the top; files at its root, except the index, are below them all. */
const floors = [
  ['pages'],
  ['tools', 'routes', 'resources', 'prompts', 'jobs', 'commands', 'contributions', 'listeners'],
  ['services', 'operations', 'helper'],
  ['rules'],
]
const floorOf = (path: string): number => {
  const [, , , room = ''] = path.split('/')
  if (room === 'index.ts') return -1
  const floor = floors.findIndex((rooms) => rooms.includes(room))
  return floor === -1 ? floors.length : floor
}
/** Schemas and interfaces may be built with a rule: `rules` and the root are one floor to each other. */
const isUpwards = ({ from, to }: Import): boolean => floorOf(to) < Math.min(floorOf(from), floors.length - 1)

export const rules: readonly Rule[] = [
  {
    says: 'the kernel knows no plugin',
    breaks: (one) => isKernel(one.from) && isPlugin(one.to),
  },
  {
    says: 'the sdk knows no kernel and no plugin',
    breaks: (one) => one.from.startsWith('sdk/') && (isPlugin(one.to) || isKernel(one.to)),
  },
  {
    says: 'a part of the kernel imports from lower floors only',
    breaks: (one) =>
      isKernel(one.from) && !one.relative && kernelFloor(one.to) >= kernelFloor(one.from) && partOf(one.to) !== partOf(one.from),
  },
  {
    says: 'of the house a plugin imports @gateway/sdk, its own files and the ./api of other plugins',
    breaks: (one) =>
      isPluginFile(one.from) && one.workspace !== 'plugins/standard' && isOfHouse(one.to) && !isContract(one.to) && !isPluginApi(one.to),
  },
  {
    says: 'in a plugin, imports go down: pages, then tools and other points, then operations and services, then rules',
    breaks: (one) => one.relative && one.from.startsWith('plugins/') && one.to.startsWith(`${one.workspace}/src/`) && isUpwards(one),
  },
  {
    says: 'the standard distribution imports @gateway/sdk and plugins',
    breaks: (one) => one.workspace === 'plugins/standard' && isOutside(one) && one.to !== '@gateway/sdk' && !isPluginRoot(one.to),
  },
  {
    says: 'a relative import stays in the src of its package and ends in .ts',
    breaks: (one) => one.relative && !(one.to.startsWith(`${one.workspace}/src/`) && one.to.endsWith('.ts')),
  },
  {
    says: 'fastify lives in kernel/http alone',
    breaks: (one) => /^@?fastify/.test(one.to) && one.workspace !== 'kernel/http',
  },
  {
    says: 'pino lives in the kernel alone',
    breaks: (one) => one.to.startsWith('pino') && !isKernel(one.from),
  },
  {
    says: 'of the MCP SDK kernel/mcp imports types alone, to hold what it writes against them, and bin/cli the client, when it is used',
    breaks: (one) =>
      one.to.startsWith('@modelcontextprotocol/') &&
      !(one.typeOnly && one.workspace === 'kernel/mcp') &&
      !(one.dynamic && one.workspace === 'bin/cli' && one.to === '@modelcontextprotocol/client'),
  },
  {
    says: 'what a package imports stands in its package.json',
    breaks: (one) => isOutside(one) && !one.declared,
  },
]

const STATIC =
  /^(?:import|export)\s+(type\s+)?(?:[\w$]+\s*,\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\}|[\w$]+)\s*from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm
const DYNAMIC = /^(?!\s*(?:\*|\/\/)).*\bimport\(\s*['"]([^'"]+)['"]/gm

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** Yields every import in the sources of every workspace under `root`. */
function* imports(root: string): Generator<Import> {
  for (const workspace of workspaces(root)) {
    const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
    const known = new Set([manifest.name, ...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})])
    const forTypes = new Set(Object.keys(manifest.devDependencies ?? {}))
    for (const { path } of filesUnder(join(root, workspace, 'src'))) {
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
}

/** Returns one line for each import that breaks a rule: the file, its import, the rule. */
export function violations(root: string): string[] {
  return [...imports(root)].flatMap((one) =>
    rules.filter((rule) => rule.breaks(one)).map((rule) => `${one.from} imports ${one.to}: ${rule.says}`),
  )
}

/** Maximum number of lines of the core: a feature that creeps in belongs in a plugin or another part. */
const MOST_CORE_LINES = 5_000

/** Returns a message if the core has too many lines. */
export function coreFault(root: string): string[] {
  const lines = [...filesUnder(join(root, 'kernel/core/src'))].reduce(
    (sum, { path }) => sum + readFileSync(path, 'utf8').split('\n').length - 1,
    0,
  )
  return lines <= MOST_CORE_LINES ? [] : [`kernel/core/src has ${lines} lines; it may have ${MOST_CORE_LINES}: move a feature out`]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = [...violations(repository), ...coreFault(repository)]
  if (found.length > 0) console.error(found.join('\n'))
  process.exitCode = found.length === 0 ? 0 : 1
}
