import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Ref as AnyRef, Plugin } from '@gateway/sdk'
import * as sdk from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

/** Points for plugins beyond the standard distribution: kinds of channels and wires of models. */
const OPEN_POINTS: readonly string[] = ['notifications.channel-kind', 'providers.wire']
/** State that the writing tool or job itself decides by, such as a quota, a streak, the places of a ring or the end of the last run. */
const STATE =
  /^(tasks\.(blocks|streaks)|dispatch\.(offers|quotas|results)|account-usage\.buckets|.*\.rings|memory\.(sync|preparation)|notifications\.attention)$/

type Ref = AnyRef<string, unknown>

interface Part {
  readonly kind: keyof Plugin
  readonly name: string
  readonly effect?: string
  readonly uses: Readonly<Record<string, Ref>>
}

/** Everything of a plugin that runs, with what it uses. */
function partsOf(plugin: Plugin): Part[] {
  const kinds = ['tools', 'routes', 'jobs', 'provides', 'contributes', 'on', 'commands', 'resources', 'prompts'] as const
  return kinds.flatMap((kind) =>
    ((plugin as unknown as Record<string, readonly object[] | undefined>)[kind] ?? []).map((part) => {
      const { uses = {}, name, id, effect } = part as { uses?: Part['uses']; name?: string; id?: string; effect?: string }
      return { kind, name: name ?? id ?? kind, uses, ...(effect !== undefined && { effect }) } as Part
    }),
  )
}

const plugins = standardPlugins as readonly Plugin[]
const used = plugins.flatMap((plugin) => partsOf(plugin).flatMap(({ uses }) => Object.values(uses).map((ref) => unwrapped(ref))))

/** The ref behind an optional or a gateway-wide one. */
function unwrapped(ref: Ref): Ref {
  const { of, ref: inner } = ref as unknown as { of?: Ref; ref?: Ref }
  const within = inner ?? of
  return within !== undefined && typeof within === 'object' && 'kind' in within ? unwrapped(within) : ref
}

/** Sources of a plugin, without the file that declares its settings. */
function sourcesOf(id: string): string {
  const folder = join(import.meta.dirname, '../..', id, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && file !== 'config.ts')
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
}

test('every contribution point has a contributor in the standard distribution', () => {
  const points = new Set(used.filter(({ kind }) => kind === 'contribution').map(({ id }) => id))
  for (const ref of Object.values(sdk))
    if ((ref as Partial<Ref> | undefined)?.kind === 'contribution') points.add((ref as unknown as Ref).id)
  const contributed = new Set(plugins.flatMap(({ contributes }) => contributes.map(({ to }) => to.id)))
  assert.deepEqual(
    [...points].filter((id) => !contributed.has(id) && !OPEN_POINTS.includes(id)),
    [],
  )
})

test('every event has a source, and one that is not public has a listener', () => {
  const emitted = new Set(used.filter(({ kind }) => kind === 'event').map(({ id }) => id))
  const waitedFor = used.filter(({ kind }) => kind === 'waiting').map(({ id }) => id)
  const heard = new Set([...plugins.flatMap(({ on }) => on.map(({ event }) => event.id)), ...waitedFor])
  const events = plugins.flatMap(({ events }) => events)
  assert.deepEqual(
    events.filter(({ id }) => !emitted.has(id)).map(({ id }) => id),
    [],
  )
  assert.deepEqual(
    events.filter(({ id, public: isPublic }) => isPublic === undefined && !heard.has(id)).map(({ id }) => id),
    [],
  )
})

/**
 * Collections of plugins that nobody reads. Tools and routes read if they declare it, and a job reads records that others write, unless it
 * is there to remove them. A collection that only jobs use is read by nobody else.
 */
function unreadIn(plugins: readonly Plugin[]): string[] {
  return plugins.flatMap((plugin) =>
    (plugin.collections ?? []).flatMap(({ id }) => {
      const users = partsOf(plugin).filter(({ uses }) => Object.values(uses).some((ref) => unwrapped(ref).id === id))
      const others = users.filter(({ kind, name }) => kind !== 'jobs' || !/retention/.test(name))
      const isOfJobsAlone = others.every(({ kind }) => kind === 'jobs')
      return !isOfJobsAlone && others.some(({ kind, effect }) => (kind !== 'tools' && kind !== 'routes') || effect === 'read') ? [] : [id]
    }),
  )
}

test('every collection has a reader beside the tools that write into it and the jobs that alone use it', () => {
  assert.deepEqual(
    unreadIn(plugins).filter((id) => !STATE.test(id)),
    [],
  )
})

test('a collection that only a job writes, and one that only tools write, are noticed', () => {
  const kept = sdk.defineCollection('kept.counts', { schema: sdk.Type.Object({ id: sdk.Type.String() }), key: 'id' })
  const [count, retention] = ['kept.count', 'kept.retention'].map((id) => ({ id, uses: { kept } }))
  const tool = (name: string, effect: 'read' | 'write') => ({ name, effect, uses: { kept } })
  const withParts = (parts: object): Plugin[] => [{ collections: [kept], ...parts } as unknown as Plugin]
  assert.deepEqual(unreadIn(withParts({ jobs: [count, retention] })), ['kept.counts'])
  assert.deepEqual(unreadIn(withParts({ tools: [tool('kept_add', 'write')], jobs: [retention] })), ['kept.counts'])
  assert.deepEqual(unreadIn(withParts({ tools: [tool('kept_add', 'write')], jobs: [count] })), [])
  assert.deepEqual(unreadIn(withParts({ tools: [tool('kept_list', 'read')], jobs: [count] })), [])
})

test('every setting has a reader outside of its declaration', () => {
  const unread = plugins.flatMap((plugin) => {
    const settings = Object.keys((plugin.config?.schema as { properties?: object } | undefined)?.properties ?? {})
    if (settings.length === 0) return []
    const sources = sourcesOf(plugin.id)
    return settings.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources)).map((name) => `${plugin.id}.${name}`)
  })
  assert.deepEqual(unread, [])
})

test('fleet_overview has all of its parts', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await gateway.call('runner_heartbeat', { machine: 'm1' })
  const { missing, queue, schedules, spendToday, repoHealth, attention } = await gateway.call('fleet_overview')
  assert.deepEqual(missing, [])
  for (const part of [queue, schedules, spendToday, repoHealth.figures, attention]) assert.notEqual(part, null)
})

test('repos_priority, fleet_overview and morning_sweep rank repos alike', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  for (const [repo, count] of [
    ['api', 1],
    ['web', 3],
    ['docs', 2],
  ] as const)
    for (let i = 0; i < count; i++) await gateway.call('tasks_create', { repo, title: 'A task' })
  const ranked = (await gateway.call('repos_priority')).repos.map(({ name }: { name: string }) => name)
  const worried = (await gateway.call('fleet_overview')).repoHealth.worried.map(({ repo }: { repo: string }) => repo)
  const { repos } = await gateway.call('morning_sweep', {})
  const morning = (repos ?? []).map(({ repo }: { repo: string }) => repo)
  assert.deepEqual(ranked.slice(0, 3), ['web', 'docs', 'api'])
  assert.deepEqual(worried, ranked)
  assert.deepEqual(morning, ranked.slice(0, morning.length))
})

test('every tool and route that calls a model is known to have no latency objective', () => {
  const CALLS = new Set(['providers.models', 'agents.runner'])
  const callers = plugins.flatMap(partsOf).filter(({ kind }) => kind === 'tools' || kind === 'routes')
  const names = callers.filter(({ uses }) => Object.values(uses).some((ref) => CALLS.has(unwrapped(ref).id))).map(({ name }) => name)
  const list = readFileSync(join(import.meta.dirname, '../../slo/src/rules/model-calls.ts'), 'utf8')
  assert.deepEqual(
    names.filter((name) => !list.includes(`'${name}'`)),
    [],
  )
})
