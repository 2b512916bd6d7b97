import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, type DoctorCheck, definePlugin, type Plugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { type Agent, installedDefinitions } from '../src/api.ts'
import { foldersOf } from '../src/config.ts'
import { definitionsCheck } from '../src/contributions/doctor-check.ts'
import { Library } from '../src/operations/library.ts'
import { registryFor } from '../src/operations/registry.ts'
import { CATEGORIES } from '../src/schema.ts'
import { agentFile, folder, member, start } from './support.ts'

const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

test('the bundled set covers all nine categories, and every definition in it is sound', async () => {
  await using gateway = await start()
  const { count, source, agents } = await gateway.call('agents_list')
  assert.equal(count, agents.length)
  assert.ok(count >= 20)
  assert.equal(source, 'database')
  assert.deepEqual([...new Set(agents.map(({ category }: Agent) => category))].sort(), [...CATEGORIES].sort())
  assert.deepEqual(Object.keys(agents[0]).sort(), ['category', 'description', 'name', 'origin', 'runs', 'tier', 'toolCount'])
  const { skills } = await gateway.call('skills_list')
  assert.ok(skills.length >= 20)
  for (const { agent } of skills) assert.ok(names(agents).includes(agent), `no agent ${agent}`)
  assert.deepEqual(
    gateway.logs.filter(({ msg }) => String(msg).includes('left out')),
    [],
  )
})

test('a category and a search narrow the list; the agent of a skill as well', async () => {
  await using gateway = await start()
  const { agents } = await gateway.call('agents_list', { category: 'ops', search: '^SECURITY|release' })
  assert.deepEqual(names(agents), ['release-manager', 'security-reviewer'])
  const { skills } = await gateway.call('skills_list', { agent: 'data-engineer', search: 'BACKFILL' })
  assert.deepEqual(names(skills), ['migration-plan'])
  await assert.rejects(gateway.call('agents_list', { category: 'magic' }), { code: 'BAD_REQUEST' })
})

test('a search runs in linear time, and one that is no pattern is refused by name', async () => {
  await using directory = await folder({
    'agents/long.md': agentFile('long', `category: dev\ntier: budget`, 'x').replace('Made for a test.', 'a'.repeat(400)),
  })
  await using gateway = await start({ config: { agents: { dirs: [directory.path] } } })
  assert.equal((await gateway.call('agents_list', { search: '(a+)+$' })).count > 0, true)
  assert.equal((await gateway.call('agents_list', { search: '^(a+)+b$' })).count, 0)
  // Patterns that RE2 does not support, or that take long to compile or run because of their size.
  for (const search of ['(', '(?=a)', '(a)\\1', '(.?){1000}z', '(.?){100}(.?){1,}{100}', '(((\\pL{5}){5}){5}){5}'.repeat(5)])
    await assert.rejects(gateway.call('agents_list', { search }), refusal('BAD_REQUEST', 'search'))
})

test('a single get has what the list leaves out; an unknown name is 404', async () => {
  await using gateway = await start()
  const get = (path: string) => gateway.inject({ method: 'GET', url: path })
  assert.match((await get('/api/agents/reviewer')).json().instructions, /order of harm/)
  assert.match((await get('/api/skills/find-cause')).json().playbook, /Symptom/)
  assert.match((await get('/api/rules/no-secrets')).json().content, /ask for its rotation/)
  assert.match((await get('/api/hooks/hand-over')).json().content, /`handoff_write`/)
  for (const kind of ['agents', 'skills', 'hooks', 'rules']) {
    const { status, json } = await get(`/api/${kind}/constructor`)
    assert.deepEqual([status, json().code], [404, 'NOT_FOUND'])
  }
})

test('hooks, rules and channels are listed over REST', async () => {
  await using gateway = await start()
  const get = async (path: string) => (await gateway.inject({ method: 'GET', url: path })).json()
  const { count, source, hooks } = await get('/api/hooks')
  assert.deepEqual([count, source], [hooks.length, 'database'])
  const { rules } = await get('/api/rules?category=safety')
  assert.deepEqual(names(rules), ['material-not-instruction', 'no-secrets'])
  const channels = await get('/api/channels')
  assert.deepEqual([channels.count, channels.activeSessions, names(channels.channels)], [2, 0, ['mcp', 'scheduler']])
  const { agents, skills } = await get('/status')
  assert.ok(agents >= 20 && skills >= 20)
})

test('a tenant’s first question is answered from the store too', async () => {
  await using gateway = await start()
  assert.equal((await gateway.call('agents_list', {}, member)).source, 'database')
})

test('folders of the operator replace and add; a change of a file is followed, a faulty file is left out', async () => {
  await using directory = await folder({
    'agents/reviewer.md': agentFile('reviewer', 'category: dev', 'Be kind.'),
    'agents/own.md': agentFile('own', 'category: ops\nstanding: true'),
    'agents/bad.md': agentFile('bad', 'category: magic'),
  })
  await using gateway = await start({ config: { agents: { dirs: [directory.path] } } })
  const get = async (name: string) => (await gateway.inject({ method: 'GET', url: `/api/agents/${name}` })).json()
  assert.deepEqual([(await get('reviewer')).instructions, (await get('reviewer')).origin], ['Be kind.', 'folder'])
  assert.equal((await get('own')).toolCount, 2)
  assert.equal((await get('bad')).code, 'NOT_FOUND')
  assert.ok(gateway.logs.some(({ msg, reason }) => msg === 'a definition was left out' && /category must be one of/.test(String(reason))))
  await directory.put('agents/own.md', agentFile('own', 'category: ops', 'Changed by hand.'))
  await directory.remove('agents/reviewer.md')
  while ((await get('own')).instructions !== 'Changed by hand.') await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal((await get('reviewer')).origin, 'bundled')
})

test('a folder that does not exist is told of in the log and by the doctor, as are files that are left out', async () => {
  await using directory = await folder({ 'rules/bad.md': 'no front matter' })
  const config = { dirs: [directory.path, `${directory.path}/misspelt`] }
  await using gateway = await start({ config: { agents: config } })
  assert.ok((await gateway.call('agents_list')).count >= 20)
  const said = gateway.logs.filter(({ msg }) => msg === 'a folder of definitions does not exist')
  assert.deepEqual(
    said.map(({ folder }) => folder),
    [`${directory.path}/misspelt`],
  )
  const look = (settings: typeof config) =>
    (definitionsCheck.create({ config: settings } as never, undefined as never) as DoctorCheck).check(undefined as never)
  assert.deepEqual(
    [await look(config)].flat().map(({ outcome, detail }) => [outcome, detail.slice(directory.path.length)]),
    [
      ['warn', '/misspelt does not exist'],
      ['warn', '/rules/bad.md is left out: it does not begin with front matter between two lines of ---'],
    ],
  )
  assert.match(JSON.stringify(await look({ dirs: [] })), /"ok","detail":"\d+ agents, \d+ skills, \d+ hooks, \d+ rules"/)
})

test('a tenant whose gateway cannot write the definitions down is answered from memory, not from an empty store', async () => {
  const wide = { get: async () => undefined, find: async () => ({ items: [] }), writable: () => assert.fail('a tenant does not write') }
  const ctx = { log: { warn() {} }, holds: () => false }
  const library = new Library(foldersOf({ dirs: [], maxTurns: 20 }))
  const registry = registryFor({ wide, library, changed: { emit() {} }, installed: [] } as never, ctx as never)
  assert.equal((await registry.agents()).source, 'memory')
  assert.equal((await registry.agent('reviewer'))?.name, 'reviewer')
})

test('while the store cannot answer the copy in memory does, and says so', async () => {
  const broken = () => Promise.reject(new Error('the store is gone'))
  const wide = { get: broken, getMany: broken, find: broken, count: broken, writable: () => assert.fail('nothing is written') }
  const warnings: string[] = []
  const ctx = { log: { warn: (line: string) => warnings.push(line) }, holds: () => true }
  const library = new Library(foldersOf({ dirs: [], maxTurns: 20 }))
  const refs = { wide, library, changed: { emit() {} }, installed: [] }
  const registry = registryFor(refs as never, ctx as never)
  const { source, items } = await registry.agents({ category: 'ops', search: 'security' })
  assert.deepEqual([source, names(items)], ['memory', ['security-reviewer']])
  assert.equal((await registry.skills({ agent: 'reviewer' })).items.length, 1)
  assert.match((await registry.agent('reviewer'))?.instructions ?? '', /order of harm/)
  assert.equal(await registry.rule('unknown'), undefined)
  for (const listed of [registry.hooks(), registry.rules({ category: 'safety' }), registry.skills()])
    assert.equal((await listed).source, 'memory')
  assert.ok(warnings.length > 0)
})

const installing = (own: Agent): Plugin =>
  definePlugin({
    id: 'test-market',
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [
      contribute(installedDefinitions, {
        create: (_uses, ctx) => {
          const agents = ctx.tenantId === 'acme' ? [own, { ...own, name: 'reviewer' }] : []
          return {
            agents: async () => agents,
            agent: async (name) => agents.find((one) => one.name === name),
            skills: async () => [],
            skill: async () => undefined,
          }
        },
      }),
    ],
  })

test('what a tenant has installed is listed for it alone, and never hides what the gateway brings', async () => {
  const own: Agent = {
    name: 'aaa',
    category: 'dev',
    description: 'Bought.',
    toolCount: 0,
    origin: 'installed',
    runs: 'runner',
    tools: [],
    standing: false,
    instructions: 'Go.',
  }
  await using gateway = await start({ plugins: [installing(own)] })
  const listed = async (as: object) => (await gateway.call('agents_list', {}, as)).agents
  const mine = await listed(member)
  assert.equal(mine[0].name, 'aaa')
  assert.deepEqual(
    mine.filter(({ name }: Agent) => name === 'reviewer').map(({ origin }: Agent) => origin),
    ['bundled'],
  )
  assert.ok(!names(await listed({})).includes('aaa'))
})
