import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ActionView, AttentionView, CallView, DashboardView, PanelView } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { systemClock } from '../../kernel/core/src/clock.ts'
import { openSqlite } from '../../kernel/storage-sqlite/src/index.ts'
import { at, rowsAt } from '../../plugins/dashboard/app/pointer.ts'

type Json = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string>>
/** A list or a record that is shown, whose rows have actions. */
interface Shown {
  readonly name: string
  readonly actions: readonly ActionView[]
  /** Columns of a board, to which its cards move. */
  readonly columns?: readonly string[]
  rows(): Promise<ReadonlyMap<string, Json>>
  /** Parameters of the page that shows the row. */
  paramsOf?(key: string): Params
}

/** Times tell when a record changed, and a claim that ended stays ended. */
const NOT_COMPARED = /At$|^at$|^claimId$/
/** Values of forms and of questions. */
const TYPED: Json = { reason: 'To try it.', note: 'A test.', role: 'viewer' }

test('each action with an undo leaves the record as it was, for every row that offers it', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-undo-'))
  try {
    await insertMember(dataDir)
    const local = { wire: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', models: { standard: 'model' } }
    const config = { tasks: { maxRetries: 0 }, providers: { providers: { local } } }
    await using gateway = await startTestGateway({ plugins: standardPlugins, dataDir, config })
    const params = await seed(gateway)
    for (const shown of await shownWithUndo(gateway, params))
      for (const action of shown.actions)
        await t.test(`${shown.name}: ${action.label}`, async () => {
          let tried = 0
          for (const [key, row] of await shown.rows())
            if (applies(action, row) && applies(action.undo, row))
              for (const column of shown.columns ?? [undefined]) if (await isTakenBack(gateway, shown, action, key, column)) tried++
          assert.ok(tried > 0, 'there is a row to try it on')
        })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** Performs an action, takes it back and compares. Returns false if it was refused, which a move may be. */
async function isTakenBack(
  gateway: TestGateway,
  { rows, paramsOf }: Shown,
  action: ActionView,
  key: string,
  column?: string,
): Promise<boolean> {
  const row = (await rows()).get(key)
  assert.ok(row, `${key} is still shown`)
  if (column !== undefined && row.status === column) return false
  gateway.clock.advance(1)
  let answer: unknown
  try {
    answer = await gateway.call(action.tool, { ...argumentsOf(action, { row, column, params: paramsOf?.(key) }), ...typedIn(action) })
  } catch (error) {
    if (column === undefined) throw error
    assert.deepEqual((await rows()).get(key), row, 'a refused move changes nothing')
    return false
  }
  assert.notDeepEqual((await rows()).get(key), row, 'the action changes the record')
  gateway.clock.advance(1)
  await gateway.call(action.undo?.tool as string, argumentsOf(action.undo as CallView, { row: answer, before: row }))
  assert.deepEqual(compared((await rows()).get(key)), compared(row), column && `to ${column}`)
  return true
}

async function shownWithUndo(gateway: TestGateway, params: Readonly<Record<string, readonly Params[]>>): Promise<readonly Shown[]> {
  const get = async (url: string) => (await gateway.inject({ method: 'GET', url })).json()
  const { pages, attention } = (await get('/api/dashboard/pages')) as DashboardView
  const undoable = (actions: readonly ActionView[]) => actions.filter(({ undo }) => undo !== undefined)
  const found: Shown[] = []
  for (const { path, panels, actions } of pages) {
    const asked = panels.filter((panel) => panel.kind !== 'form')
    const all = params[path] ?? [{}]
    const rowsOf = (panel: (typeof asked)[number]) => async () => {
      const answers = await Promise.all(all.map((own) => shownAnswer(gateway, panel.source, own)))
      return new Map(answers.flatMap((answer, index) => (answer === undefined ? [] : shownRows(panel, answer, index))))
    }
    for (const panel of asked) {
      const shown = { name: `${path} ${panel.id}`, rows: rowsOf(panel), paramsOf: (key: string) => all[Number.parseInt(key, 10)] ?? {} }
      if ('actions' in panel) found.push({ ...shown, actions: undoable(panel.actions) })
      if (panel.kind === 'board' && panel.move)
        found.push({ ...shown, actions: undoable([panel.move]), columns: panel.columns.map(({ value }) => value) })
    }
    // An action of the page has no row: all that the page shows is compared.
    const whole = async () =>
      new Map([
        ['', Object.fromEntries(await Promise.all(asked.map(async (panel) => [panel.id, Object.fromEntries(await rowsOf(panel)())])))],
      ])
    found.push({ name: path, actions: undoable(actions), rows: whole })
  }
  const queue = (await get(attention.url)) as AttentionView
  for (const [kind, actions] of Object.entries(queue.actions)) {
    const rows = async () => {
      const { items } = (await get(attention.url)) as AttentionView
      return new Map(items.filter((item) => item.kind === kind).map((item) => [item.id, item]))
    }
    found.push({ name: `attention ${kind}`, actions: undoable(actions), rows })
  }
  return found.filter(({ actions }) => actions.length > 0)
}

/** Returns `undefined` for the page of a record that was removed. */
async function shownAnswer(gateway: TestGateway, source: CallView, params: Params): Promise<unknown> {
  try {
    return await gateway.call(source.tool, argumentsOf(source, { params }))
  } catch (error) {
    if ((error as { code?: string }).code === 'NOT_FOUND') return undefined
    throw error
  }
}

function shownRows(panel: PanelView, answer: unknown, index: number): readonly (readonly [string, Json])[] {
  if (panel.kind === 'detail') return [[String(index), at(answer, panel.record) as Json]]
  if (!('rows' in panel) || !('key' in panel)) return []
  return rowsAt(answer, panel.rows, panel.key as string).map(({ key, value }) => [`${index} ${key}`, value as Json])
}

interface Scope {
  readonly row?: unknown
  readonly before?: unknown
  readonly column?: string | undefined
  readonly params?: Params | undefined
}

function argumentsOf(call: Pick<CallView, 'arguments'>, { row, before, column, params }: Scope): Json {
  const values = Object.entries(call.arguments).map(([name, of]) => {
    if (of.from === 'value') return [name, of.value]
    if (of.from === 'param') return [name, params?.[of.name]]
    if (of.from === 'row') return [name, at(row, of.pointer)]
    if (of.from === 'before') return [name, at(before, of.pointer)]
    if (of.from === 'column') return [name, column]
    return [name, of.from === 'asked' ? TYPED[name] : undefined]
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null))
}

function typedIn({ form }: ActionView): Json {
  const { properties = {} } = (form?.schema ?? {}) as { properties?: object }
  return Object.fromEntries(Object.entries(TYPED).filter(([name]) => Object.hasOwn(properties, name)))
}

function applies(of: Pick<ActionView, 'when'> | undefined, row: unknown): boolean {
  if (!of?.when) return true
  const value = (at(row, of.when.pointer) ?? null) as string
  return 'in' in of.when ? of.when.in.includes(value) : !of.when.except.includes(value)
}

function compared(row: unknown): unknown {
  return JSON.parse(JSON.stringify(row ?? null, (name, value: unknown) => (NOT_COMPARED.test(name) ? undefined : value)))
}

/** A person signs in through a provider, which a test has none of: the membership is written into the store. */
async function insertMember(dataDir: string): Promise<void> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const store = await openSqlite({ dataDir, clock: systemClock, log: quiet as never })
  const collections = standardPlugins.flatMap((plugin) => plugin.collections)
  await store.prepare(collections)
  const members = store.collection(collections.find(({ id }) => id === 'sign-in.members') as never, 'local')
  const createdAt = '2026-01-01T00:00:00.000Z'
  await members.insert({
    memberId: 'member-ann',
    provider: 'corporate',
    name: 'Ann',
    email: 'ann@example.org',
    role: 'admin',
    source: 'invitation',
    createdAt,
    signedInAt: createdAt,
  } as never)
  await store.close()
}

/** Makes a record in each state that an action with an undo applies to. Returns the parameters of the pages of records. */
async function seed(gateway: TestGateway): Promise<Readonly<Record<string, readonly Params[]>>> {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const call = (tool: string, args: object): Promise<any> => gateway.call(tool, args)
  const tasks: Params[] = []
  for (const status of ['pending', 'working', 'review', 'blocked', 'paused', 'dead_letter', 'done']) {
    const { task } = await call('tasks_create', { repo: 'api', title: `A ${status} task` })
    if (status !== 'pending') await call('tasks_claim', { taskId: task.taskId, claimedBy: 'ada' })
    if (status === 'dead_letter') await call('tasks_fail', { taskId: task.taskId, error: 'No key was given.' })
    else if (!['pending', 'working'].includes(status)) await call('tasks_update', { taskId: task.taskId, status })
    tasks.push({ taskId: task.taskId })
  }
  const plan = async (goal: string, approved: boolean) => {
    const { swarm } = await call('swarm_plan', {
      repo: 'web',
      goal,
      children: [{ title: 'A part' }, { title: 'Another', dependsOnIndexes: [0] }],
    })
    if (approved) await call('swarm_approve', { swarmId: swarm.swarmId })
    return { swarmId: swarm.swarmId }
  }
  const swarms = [await plan('Move the checkout', true), await plan('Translate the shop', false)]
  const schedules: Params[] = []
  for (const enabled of [true, false]) {
    const name = enabled ? 'used' : 'unused'
    await call('repos_upsert', { name, enabled })
    const { schedule } = await call('schedules_create', {
      name,
      cronExpr: '0 7 * * *',
      kind: 'tool',
      target: 'tasks_list',
      message: '{}',
      enabled,
    })
    schedules.push({ scheduleId: schedule.scheduleId })
    await call('recurring_tasks_create', { name, cronExpr: '0 7 * * *', repo: 'api', title: 'Update the dependencies', enabled })
    await call('connectors_set', { key: name, label: name, category: 'custom', transport: 'http', url: 'https://tools.example/', enabled })
    await call('webhooks.create', { url: 'https://hooks.example/', events: ['tasks.moved'], enabled })
  }
  await call('plan_set', {
    repo: 'api',
    days: [
      { day: 1, focus: 'Round refunds' },
      { day: 2, focus: 'Compare invoices' },
    ],
  })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  for (const version of ['1.0.0', '1.1.0']) {
    const artifactContent = `You review pull requests, ${version}.`
    const manifestHash = createHash('sha256').update(artifactContent).digest('hex')
    const manifest = {
      slug: 'reviewer',
      kind: 'agent',
      version,
      title: 'Reviewer',
      description: 'Reviews.',
      category: 'dev',
      tools: [],
      manifestHash,
    }
    await call('marketplace_publish', { manifest, artifactContent })
    await call('marketplace.review-publish', { slug: 'reviewer', version })
  }
  await call('marketplace_install', { slug: 'reviewer', version: '1.0.0' })
  return { '/tasks/:taskId': tasks, '/swarms/:swarmId': swarms, '/schedules/:scheduleId': schedules }
}
