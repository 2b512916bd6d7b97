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
/** State that the writing tool itself decides by, such as a quota, a streak or the places of a ring. */
const STATE = /^(tasks\.(blocks|streaks)|dispatch\.(offers|quotas)|account-usage\.buckets|.*\.rings)$/

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

test('every collection is used by more than tools that write into it and jobs that remove from it', () => {
  const unread = plugins.flatMap((plugin) =>
    (plugin.collections ?? []).filter(({ id }) => {
      if (STATE.test(id)) return false
      const users = partsOf(plugin).filter(({ uses }) => Object.values(uses).some((ref) => unwrapped(ref).id === id))
      return !users.some(({ kind, effect, name }) => (kind === 'tools' || kind === 'routes' ? effect === 'read' : !/retention/.test(name)))
    }),
  )
  assert.deepEqual(
    unread.map(({ id }) => id),
    [],
  )
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
