import type { CallContext, Resolved } from '@gateway/sdk'
import { installedDefinitions, type Listed, type Place, type Registry } from '../api.ts'
import { type Definitions, type Kind, short } from '../rules/definition.ts'
import type { AgentSummary, Hook, RuleSummary, SkillSummary } from '../schema.ts'
import { matcherOf } from './search.ts'
import { storedUses, updateStored, wholeKind } from './stored.ts'

export const registryUses = { ...storedUses, installed: installedDefinitions }
type Refs = Resolved<typeof registryUses>

const MAX_DEFINITIONS = 1_000

/** Returns the registry for one caller: the store first, the copy in memory while the store cannot answer. */
export function registryFor(refs: Refs, ctx: CallContext): Registry {
  return {
    async agents({ category, search } = {}) {
      const matches = await matcherOf(search)
      const own = await installedOf(refs, 'agent')
      const { items, ...from } = withInstalled(await listed<AgentSummary>(refs, 'agent', ctx), own as AgentSummary[])
      const items2 = items.filter((one) => (category === undefined || one.category === category) && matches([one.name, one.description]))
      return { ...from, items: items2 }
    },
    async skills({ agent, search } = {}) {
      const matches = await matcherOf(search)
      const own = await installedOf(refs, 'skill')
      const { items, ...from } = withInstalled(await listed<SkillSummary>(refs, 'skill', ctx), own as SkillSummary[])
      const found = items.filter(
        (one) => (agent === undefined || one.agent === agent) && matches([one.name, one.description, ...one.triggers]),
      )
      return { ...from, items: found }
    },
    agent: async (name) => (await single(refs, 'agent', name, ctx)) ?? firstOf(refs.installed.map((one) => one.agent(name))),
    skill: async (name) => (await single(refs, 'skill', name, ctx)) ?? firstOf(refs.installed.map((one) => one.skill(name))),
    hooks: () => listed<Hook>(refs, 'hook', ctx),
    hook: (name) => single(refs, 'hook', name, ctx),
    async rules({ category } = {}) {
      const { items, ...from } = await listed<RuleSummary>(refs, 'rule', ctx)
      return { ...from, items: items.filter((one) => category === undefined || one.category === category) }
    },
    rule: (name) => single(refs, 'rule', name, ctx),
    async guidance(place) {
      const [rules, hooks] = await Promise.all([wholes(refs, 'rule', ctx), wholes(refs, 'hook', ctx)])
      const here = ({ applies }: { readonly applies: readonly Place[] }) => applies.includes(place)
      return { rules: rules.filter(here), hooks: hooks.filter(here) }
    },
  }
}

async function installedOf({ installed }: Refs, kind: 'agent' | 'skill'): Promise<object[]> {
  const all = await Promise.all(installed.map((one) => (kind === 'agent' ? one.agents() : one.skills())))
  return all.flat().map((whole) => short(kind, whole))
}

/** A definition that a tenant installs never replaces one of the gateway. */
function withInstalled<T extends { name: string }>({ items, ...from }: Listed<T>, installed: readonly T[]): Listed<T> {
  const taken = new Set(items.map(({ name }) => name))
  const added = installed.filter(({ name }) => !taken.has(name))
  return { ...from, items: added.length === 0 ? items : [...items, ...added].sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

const firstOf = async <T>(found: readonly Promise<T | undefined>[]): Promise<T | undefined> =>
  (await Promise.all(found)).find((one) => one !== undefined)

async function listed<T>(refs: Refs, kind: Kind, ctx: CallContext): Promise<Listed<T>> {
  const loaded = await refs.library.current(ctx.log)
  const leftOut = loaded.leftOut.filter((one) => one.kind === kind).length
  try {
    await updateStored(refs, loaded, ctx)
    const { items } = await refs.wide.find({ where: { kind }, sort: { name: 1 }, limit: MAX_DEFINITIONS })
    return { source: 'database', leftOut, items: items.map(({ json }) => JSON.parse(json) as T) }
  } catch (error) {
    ctx.log.warn('the registry answers from memory', { err: error })
    const all = [...loaded.set[kind].values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { source: 'memory', leftOut, items: all.map((whole) => short(kind, whole) as T) }
  }
}

async function wholes<K extends Kind>(refs: Refs, kind: K, ctx: CallContext): Promise<readonly Definitions[K][]> {
  const loaded = await refs.library.current(ctx.log)
  try {
    await updateStored(refs, loaded, ctx)
    const { items } = await refs.wide.find({ where: { kind: wholeKind(kind) }, sort: { name: 1 }, limit: MAX_DEFINITIONS })
    return items.map(({ json }) => JSON.parse(json) as Definitions[K])
  } catch (error) {
    ctx.log.warn('the registry answers from memory', { err: error })
    return [...loaded.set[kind].values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

async function single<K extends Kind>(refs: Refs, kind: K, name: string, ctx: CallContext): Promise<Definitions[K] | undefined> {
  const loaded = await refs.library.current(ctx.log)
  try {
    await updateStored(refs, loaded, ctx)
    const stored = await refs.wide.get(`${wholeKind(kind)}/${name}`)
    return stored && (JSON.parse(stored.json) as Definitions[K])
  } catch (error) {
    ctx.log.warn('the registry answers from memory', { err: error })
    return loaded.set[kind].get(name)
  }
}
