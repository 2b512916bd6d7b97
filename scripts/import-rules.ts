/**
 * Who may import whom. The layers hold only while nobody reaches around them, so each import in a workspace's src is
 * held against the rules below. Types count too: a type that leaks binds as firmly as a value.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesUnder, root as repository, workspaces } from './workspaces.mjs'

interface Import {
  /** The importing file, relative to the root. */
  readonly from: string
  /** Its workspace: `kernel`, `plugins/tasks`. */
  readonly workspace: string
  /** What it imports: a file relative to the root, or a package with its subpath. */
  readonly to: string
  readonly relative: boolean
  readonly dynamic: boolean
  /** Node itself, or named in the dependencies of the workspace's package.json. */
  readonly declared: boolean
}

export interface Rule {
  readonly says: string
  readonly breaks: (one: Import) => boolean
}

const isPlugin = (name: string) => name.startsWith('plugins/') || name.startsWith('@gateway/plugin-') || name === '@gateway/standard'
const isKernel = (name: string) => name.startsWith('kernel/') || name.startsWith('@gateway/kernel')
/** An example is a third party’s plugin. */
const isPluginFile = (path: string) => path.startsWith('plugins/') || path.startsWith('examples/')
const isPluginApi = (name: string) => /^@gateway\/plugin-[^/]+\/api$/.test(name)
const isPluginRoot = (name: string) => /^@gateway\/plugin-[^/]+$/.test(name)
/** What a plugin runs on: the rest of the sdk is for tests. */
const isContract = (name: string) => /^@gateway\/sdk(?:\/(?:cron|json|redact|ring))?$/.test(name)
const isOfHouse = (name: string) => name.startsWith('@gateway/')
const isOutside = (one: Import) => !one.relative && !one.to.startsWith('node:')
const isTestHarness = (one: Import) => one.from === 'sdk/src/testing/gateway.ts' && one.to === '@gateway/kernel' && one.dynamic

export const rules: readonly Rule[] = [
  {
    says: 'the kernel knows no plugin',
    breaks: (one) => isKernel(one.from) && isPlugin(one.to),
  },
  {
    says: 'the sdk knows no kernel and no plugin (the test harness alone loads the kernel, dynamically)',
    breaks: (one) => one.from.startsWith('sdk/') && (isPlugin(one.to) || isKernel(one.to)) && !isTestHarness(one),
  },
  {
    says: 'of the house a plugin imports @gateway/sdk, its own files and the ./api of other plugins',
    breaks: (one) =>
      isPluginFile(one.from) && one.workspace !== 'plugins/standard' && isOfHouse(one.to) && !isContract(one.to) && !isPluginApi(one.to),
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
    says: 'fastify lives in kernel/src/http alone',
    breaks: (one) => /^@?fastify/.test(one.to) && !one.from.startsWith('kernel/src/http/'),
  },
  {
    says: 'pino lives in the kernel alone',
    breaks: (one) => one.to.startsWith('pino') && !isKernel(one.from),
  },
  {
    says: 'the MCP SDK is for tests and benchmarks, never for run time',
    breaks: (one) => one.to.startsWith('@modelcontextprotocol/'),
  },
  {
    says: 'what a package imports stands in its package.json',
    breaks: (one) => isOutside(one) && !one.declared && !isTestHarness(one),
  },
]

const STATIC =
  /^(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\}|[\w$]+)\s*from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm
const DYNAMIC = /^(?!\s*(?:\*|\/\/)).*\bimport\(\s*['"]([^'"]+)['"]/gm

/** Every import in the sources of every workspace under `root`. */
function* imports(root: string): Generator<Import> {
  for (const workspace of workspaces(root)) {
    const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
    const known = new Set([manifest.name, ...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})])
    for (const { path } of filesUnder(join(root, workspace, 'src'))) {
      const text = readFileSync(path, 'utf8')
      const from = relative(root, path)
      const found = (specifier: string, dynamic: boolean): Import => ({
        from,
        workspace,
        to: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier,
        relative: specifier.startsWith('.'),
        dynamic,
        declared: specifier.startsWith('node:') || known.has(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')),
      })
      for (const match of text.matchAll(STATIC)) yield found(match[1] ?? match[2] ?? '', false)
      for (const match of text.matchAll(DYNAMIC)) yield found(match[1] ?? '', true)
    }
  }
}

/** One line for each import that breaks a rule: the file, what it imports, the rule. */
export function violations(root: string): string[] {
  return [...imports(root)].flatMap((one) =>
    rules.filter((rule) => rule.breaks(one)).map((rule) => `${one.from} imports ${one.to}: ${rule.says}`),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = violations(repository)
  if (found.length > 0) console.error(found.join('\n'))
  process.exitCode = found.length === 0 ? 0 : 1
}
