import { metricFaults } from '@gateway/metrics'
import { type Plugin, SDK_VERSION } from '@gateway/sdk'
import { declarationFault } from '@gateway/storage'
// Imports single functions, because the package's index costs the start 45 ms.
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { unwrap, useSites } from '../registry/uses.ts'
import type { KernelPart } from './adapters.ts'
import { commandFault } from './commands.ts'
import { BootError, blame } from './faults.ts'
import { operationFaults, routeShape } from './operations.ts'
import { cyclePath, startOrder } from './order.ts'

/** Plugins that fit together, in start order. */
export interface Plan {
  readonly plugins: readonly Plugin[]
  readonly requires: ReadonlyMap<string, ReadonlySet<string>>
}

export interface Surroundings {
  /** Known plugins that will not run; an error message explains a missing part with them. */
  readonly off?: readonly { readonly id: string; readonly plugin?: Plugin }[]
  /** Some plugins could not be loaded. A missing service may be theirs and is then not reported as a fault of its user. */
  readonly incomplete?: boolean
  readonly parts?: readonly KernelPart[]
}

/**
 * Checks that these plugins can run together. Pure: runs no plugin code and reads nothing. Collects every fault of every
 * plugin and throws them as one BootError.
 */
export function plan(plugins: readonly Plugin[], surroundings: Surroundings = {}): Plan {
  const faults: string[] = []
  const fault = (plugin: string, what: string): void => void faults.push(blame(plugin, 'plan', what))
  const known = owners(plugins, fault)
  for (const plugin of plugins) {
    checkIdentity(plugin, fault)
    for (const operation of [...plugin.tools, ...plugin.routes]) {
      for (const what of operationFaults(operation, surroundings.parts)) fault(plugin.id, what)
    }
    for (const collection of plugin.collections) {
      const what = declarationFault(collection)
      if (what !== undefined) fault(plugin.id, what)
    }
    for (const { name } of plugin.commands) {
      const what = commandFault(name)
      if (what !== undefined) fault(plugin.id, what)
    }
    for (const job of plugin.jobs) if (!(job.everySeconds > 0)) fault(plugin.id, `job ${job.id}: everySeconds must be above 0`)
    checkUses(plugin, known, surroundings, fault)
  }
  for (const [plugin, what] of metricFaults(plugins, useSites)) fault(plugin, what)
  for (const part of surroundings.parts ?? []) for (const { plugin, what } of part.planFaults?.(plugins) ?? []) fault(plugin, what)
  const needs = dependencies(plugins, known, 'used')
  const cycle = cyclePath(needs)
  if (cycle) faults.push(`plugins need each other in a circle: ${cycle.join(' → ')}; break it with an event or a contribution`)
  if (faults.length > 0) throw new BootError(faults)
  return { plugins: startOrder(plugins, needs), requires: dependencies(plugins, known, 'required') }
}

type Report = (plugin: string, what: string) => void
type Owners = Readonly<Record<'collection' | 'config' | 'service' | 'event' | 'job' | 'command', Map<string, string>>>

function owners(plugins: readonly Plugin[], fault: Report): Owners {
  const known: Owners = {
    collection: new Map(),
    config: new Map(),
    service: new Map(),
    event: new Map(),
    job: new Map(),
    command: new Map(),
  }
  const taken = new Map<string, string>()
  const claim = (table: Map<string, string>, what: string, id: string, plugin: string): void => {
    const owner = table.get(id)
    if (owner === undefined) table.set(id, plugin)
    else if (owner === plugin) fault(plugin, `${what} ${id} is listed twice`)
    else fault(plugin, `${what} ${id} is taken by plugin '${owner}'; rename it, or switch one of the two off`)
  }
  for (const plugin of plugins) {
    claim(taken, 'plugin id', plugin.id, plugin.id)
    for (const { id } of [...plugin.collections, ...plugin.events]) {
      if (id.startsWith('gateway.')) fault(plugin.id, `${id}: ids that begin with gateway. are the kernel’s own`)
    }
    for (const collection of plugin.collections) claim(known.collection, 'collection', collection.id, plugin.id)
    for (const [index, contribution] of plugin.contributes.entries())
      if (plugin.contributes.indexOf(contribution) < index) fault(plugin.id, `a contribution to ${contribution.to.id} is listed twice`)
    if (plugin.config) claim(known.config, 'config', plugin.config.id, plugin.id)
    for (const provider of plugin.provides) claim(known.service, 'service', provider.ref.id, plugin.id)
    for (const event of plugin.events) claim(known.event, 'event', event.id, plugin.id)
    for (const { name } of plugin.commands) claim(known.command, 'command', name, plugin.id)
    for (const job of plugin.jobs) claim(known.job, 'job', job.id, plugin.id)
    for (const prompt of plugin.prompts) claim(taken, 'prompt', `prompt ${prompt.name}`, plugin.id)
    for (const files of plugin.publicFiles ?? []) for (const path of files.paths) claim(taken, 'path', routeShape(`GET ${path}`), plugin.id)
    for (const resource of plugin.resources) claim(taken, 'resource', `resource ${resource.uri}`, plugin.id)
    for (const operation of [...plugin.tools, ...plugin.routes]) {
      claim(taken, 'name', `operation ${operation.name}`, plugin.id)
      if (operation.rest !== undefined) claim(taken, 'REST binding', routeShape(operation.rest), plugin.id)
    }
  }
  checkErrorCodes(plugins, fault)
  return known
}

/** A code has one meaning: two different declarations would make the error catalogue wrong. */
function checkErrorCodes(plugins: readonly Plugin[], fault: Report): void {
  const seen = new Map<string, { status: number; plugin: string }>()
  const declaring = plugins.flatMap((plugin) =>
    [...plugin.tools, ...plugin.routes, ...plugin.contributes].map(({ errors = [] }) => ({ plugin, errors })),
  )
  for (const { plugin, errors } of declaring) {
    for (const { code, status } of errors) {
      const first = seen.get(code)
      if (first === undefined) seen.set(code, { status, plugin: plugin.id })
      else if (first.status !== status) {
        fault(plugin.id, `error ${code} has status ${status} here and ${first.status} in plugin '${first.plugin}'`)
      }
    }
  }
}

function checkIdentity(plugin: Plugin, fault: Report): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(plugin.id)) fault(plugin.id, 'the id must be kebab-case')
  if (!validRange(plugin.sdk)) fault(plugin.id, `sdk must be a semver range; got ${JSON.stringify(plugin.sdk)}`)
  else if (!satisfies(SDK_VERSION, plugin.sdk)) {
    fault(plugin.id, `it needs @gateway/sdk ${plugin.sdk}, this gateway has ${SDK_VERSION}; take a version of it made for that`)
  }
}

function checkUses(plugin: Plugin, known: Owners, { off = [], incomplete = false }: Surroundings, fault: Report): void {
  const switchedOff = new Map(
    off.flatMap(({ id, plugin: absent }) => (absent?.provides ?? []).map(({ ref }): [string, string] => [ref.id, id])),
  )

  const missed = new Set<string>()
  for (const { where, uses, processScope } of useSites(plugin)) {
    for (const [name, use] of Object.entries(uses)) {
      const { ref, required } = unwrap(use)
      const say = (what: string): void => fault(plugin.id, `${where} uses ${name}: ${what}`)
      if (processScope && !(ref.kind === 'config' || (ref.kind === 'service' && (ref as { scope?: string }).scope === 'process'))) {
        say(`a process service may use settings and process services only, not the ${ref.kind} ${ref.id}`)
      }
      switch (ref.kind) {
        case 'collection':
        case 'reach':
        case 'gateway-wide':
        case 'shared':
        case 'config': {
          const kind = ref.kind === 'config' ? 'config' : 'collection'
          const owner = known[kind].get(ref.id)
          if (owner === undefined) say(`${kind} ${ref.id} is not listed by any plugin; list it in this one`)
          else if (owner !== plugin.id) say(`${kind} ${ref.id} is private to plugin '${owner}'; ask for a service of that plugin`)
          break
        }
        case 'service':
          if (required && !known.service.has(ref.id) && !ref.id.startsWith('gateway.') && !incomplete) {
            const provider = switchedOff.get(ref.id)
            // Reported once, because most tools of a family may need the same disabled family.
            if (provider !== undefined && missed.has(provider)) break
            if (provider !== undefined) missed.add(provider)
            say(
              provider === undefined
                ? `no running plugin provides the service ${ref.id}; install or list its plugin, or use optional(…)`
                : `no running plugin provides the service ${ref.id}, since plugin '${provider}' is disabled; enable both, or disable both`,
            )
          }
          break
        case 'event': {
          const owner = known.event.get(ref.id)
          if (owner === plugin.id || ref.id.startsWith('gateway.')) break
          if (owner === undefined) say(`event ${ref.id} is not listed by any plugin; list it in this one`)
          else say(`event ${ref.id} is emitted by its owner only (${owner})`)
          break
        }
        case 'waiting':
          if (!known.event.has(ref.id) && !ref.id.startsWith('gateway.')) say(`event ${ref.id} is not listed by any plugin`)
          break
        case 'seal':
          if (ref.id !== plugin.id) say(`a plugin has a seal of its own only; write defineSeal('${plugin.id}')`)
          break
        case 'job':
          if (known.job.get(ref.id) !== plugin.id) say(`job ${ref.id} is not a job of this plugin`)
          break
        case 'contribution':
        case 'kernel':
          break
        default:
          say(`a ref of unknown kind ${JSON.stringify(ref.kind)}`)
      }
    }
  }
}

function dependencies(plugins: readonly Plugin[], known: Owners, which: 'used' | 'required'): ReadonlyMap<string, ReadonlySet<string>> {
  const needs = new Map<string, Set<string>>(plugins.map((plugin) => [plugin.id, new Set()]))
  for (const plugin of plugins) {
    for (const { uses } of useSites(plugin)) {
      for (const use of Object.values(uses)) {
        const { ref, required } = unwrap(use)
        const owner = ref.kind === 'service' && (required || which === 'used') ? known.service.get(ref.id) : undefined
        if (owner !== undefined && owner !== plugin.id) needs.get(plugin.id)?.add(owner)
      }
    }
  }
  return needs
}
