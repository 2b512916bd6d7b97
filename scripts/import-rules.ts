/**
 * Checks the imports between packages. The layers hold only if no import bypasses them, so each import in a workspace's src is
 * checked against the rules below. Types count too: a type that leaks binds as firmly as a value.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cycleFaults } from './import-rules/cycles.ts'
import { isUpwards } from './import-rules/floors.ts'
import { type Import, imports } from './import-rules/imports.ts'
import { filesUnder, root as repository } from './workspaces.mjs'

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
  ['storage-sqlite', 'storage-mongodb', 'jobs', 'audit', 'nodes', 'mcp', 'pages', 'access'],
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
const isContract = (name: string) =>
  /^@gateway\/sdk(?:\/(?:alerting|bounds|cron|front-matter|json|lenient|near|portable|redact|ring|secrets))?$/.test(name)
const isOfHouse = (name: string) => name.startsWith('@gateway/')
const isOutside = (one: Import) => !one.relative && !one.to.startsWith('node:')

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
    says: 'from this project a plugin imports only @gateway/sdk, its own files and the ./api of other plugins',
    breaks: (one) =>
      isPluginFile(one.from) && one.workspace !== 'plugins/standard' && isOfHouse(one.to) && !isContract(one.to) && !isPluginApi(one.to),
  },
  {
    says: 'inside a package, imports go down: pages, then tools and other points, then operations and services, then rules',
    breaks: (one) => one.relative && one.to.startsWith(`${one.workspace}/src/`) && isUpwards(one),
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

/** Returns one line for each import that breaks a rule: the file, its import, the rule. */
export function violations(root: string): string[] {
  return [...imports(root)].flatMap((one) =>
    rules.filter((rule) => rule.breaks(one)).map((rule) => `${one.from} imports ${one.to}: ${rule.says}`),
  )
}

/** The core, and what it cannot do without: the settings, the loader of plugins and the validation of arguments. */
const CORE = ['kernel/core', 'kernel/settings', 'kernel/loader', 'kernel/validation']
/** Maximum number of lines of the core: a feature that creeps in belongs in a plugin or another part. */
const MAX_CORE_LINES = 6_000

/** Returns a message if the core has too many lines. */
export function coreFault(root: string): string[] {
  const lines = CORE.flatMap((folder) => [...filesUnder(join(root, folder, 'src'))]).reduce(
    (sum, { path }) => sum + readFileSync(path, 'utf8').split('\n').length - 1,
    0,
  )
  return lines <= MAX_CORE_LINES ? [] : [`${CORE.join(', ')} have ${lines} lines; they may have ${MAX_CORE_LINES}: move a feature out`]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = [...violations(repository), ...cycleFaults(repository), ...coreFault(repository)]
  if (found.length > 0) console.error(found.join('\n'))
  process.exitCode = found.length === 0 ? 0 : 1
}
