import type { Plugin, PluginSpec } from '@gateway/sdk'

/** A list member of a plugin: the SDK function that creates its items, and the members that the kernel always reads. */
interface Part {
  readonly maker: string
  readonly has: Readonly<Record<string, 'string' | 'object' | 'function'>>
}
type ListOf<P> = { [K in keyof P]-?: NonNullable<P[K]> extends readonly unknown[] ? K : never }[keyof P]

const operation = { name: 'string', description: 'string', input: 'object', output: 'object', errors: 'object', uses: 'object' } as const
const LISTS: Readonly<Record<ListOf<PluginSpec>, Part>> = {
  collections: { maker: 'defineCollection', has: { id: 'string', schema: 'object', key: 'string', indexes: 'object', text: 'object' } },
  events: { maker: 'defineEvent', has: { id: 'string' } },
  tools: { maker: 'defineTool', has: { ...operation, handle: 'function' } },
  routes: { maker: 'defineRoute', has: { ...operation, handle: 'function' } },
  resources: { maker: 'defineResource', has: { uri: 'string', name: 'string', uses: 'object', read: 'function' } },
  prompts: { maker: 'definePrompt', has: { name: 'string', uses: 'object', render: 'function' } },
  pages: { maker: 'definePage', has: { path: 'string', icon: 'string', panels: 'object', actions: 'object' } },
  overview: { maker: 'Panel', has: { panel: 'object' } },
  publicFiles: { maker: 'definePublicFiles', has: { id: 'string', paths: 'object', open: 'function' } },
  jobs: { maker: 'defineJob', has: { id: 'string', uses: 'object', run: 'function' } },
  metrics: { maker: 'defineMetric', has: { id: 'string', metric: 'object' } },
  commands: { maker: 'defineCommand', has: { name: 'string', summary: 'string', load: 'function' } },
  provides: { maker: 'provide', has: { ref: 'object', uses: 'object', create: 'function' } },
  contributes: { maker: 'contribute', has: { to: 'object', uses: 'object', create: 'function' } },
  on: { maker: 'on', has: { event: 'object', uses: 'object', handle: 'function' } },
}
const CONFIG: Part = { maker: 'defineConfig', has: { id: 'string', schema: 'object' } }
const TEXTS = ['id', 'sdk', 'description'] as const satisfies readonly (keyof Plugin)[]
const FUNCTIONS = ['start', 'stop'] as const satisfies readonly (keyof Plugin)[]
const KNOWN: ReadonlySet<string> = new Set([...TEXTS, ...FUNCTIONS, 'config', ...Object.keys(LISTS)])

/**
 * Faults that keep an exported object from being a plugin. Later code may rely on the shape of its parts; their content is
 * checked by the plan.
 */
export function partFaults(spec: Readonly<Record<string, unknown>>): string[] {
  const faults = TEXTS.filter((part) => typeof spec[part] !== 'string').map((part) => `${part} must be a string`)
  for (const [list, part] of Object.entries(LISTS)) {
    const members = spec[list]
    if (members === undefined) continue
    if (!Array.isArray(members)) faults.push(`${list} must be a list`)
    else for (const [at, member] of [...members].entries()) faults.push(...memberFaults(`${list}[${at}]`, member, part))
  }
  if (spec.config) faults.push(...memberFaults('config', spec.config, CONFIG))
  for (const hook of FUNCTIONS) if (spec[hook] !== undefined && typeof spec[hook] !== 'function') faults.push(`${hook} must be a function`)
  const unknown = Object.keys(spec).filter((part) => !KNOWN.has(part) && !isEmpty(spec[part]))
  return [...faults, ...unknown.map((part) => `${part} is no part of a plugin, which are ${[...KNOWN].join(', ')}`)]
}

/** A newer SDK fills in parts that only it knows with an empty list. */
const isEmpty = (part: unknown): boolean => part === undefined || (Array.isArray(part) && part.length === 0)

function memberFaults(where: string, member: unknown, { maker, has }: Part): string[] {
  if (typeof member !== 'object' || member === null) return [`${where} must be what ${maker} makes; got ${String(member)}`]
  const given = member as Readonly<Record<string, unknown>>
  const wrong = Object.entries(has).filter(([name, type]) => !isOf(type, given[name]))
  const noRefs = Object.entries(given.uses ?? {}).filter(([, use]) => !isRef(use))
  return [
    ...(wrong.length > 0 ? [`${where} must be what ${maker} makes, with its ${wrong.map(([name]) => name).join(', ')}`] : []),
    ...noRefs.map(([name, use]) => `${where} uses ${name}, which must be a ref; got ${String(use)}`),
  ]
}

const isOf = (type: string, value: unknown): boolean => typeof value === type && value !== null
const isRef = (value: unknown): boolean => isOf('object', value) && isOf('string', (value as { readonly kind?: unknown }).kind)
