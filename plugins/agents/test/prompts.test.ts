import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { installedDefinitions } from '../src/api.ts'
import type { Skill } from '../src/schema.ts'
import { start } from './support.ts'

const packed: Skill = {
  name: 'pack-parcels',
  description: 'Pack parcels.',
  triggers: [],
  origin: 'installed',
  playbook: '# Pack\n\nTape it.',
}

/** Plays the marketplace: one tenant has installed a skill. */
const installs = definePlugin({
  id: 'installs',
  sdk: '^1.0.0',
  description: 'Installs.',
  contributes: [
    contribute(installedDefinitions, {
      create: (_, { tenantId }) => {
        const skills = tenantId === 'local' ? [packed] : []
        return {
          agents: async () => [],
          agent: async () => undefined,
          skills: async () => skills,
          skill: async (name) => skills.find((one) => one.name === name),
        }
      },
    }),
  ],
})

interface Prompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string }[]
}

async function ask(gateway: TestGateway, method: string, params: object = {}, headers: Record<string, string> = {}) {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const accept = { accept: 'application/json, text/event-stream' }
  return (await gateway.inject({ method: 'POST', url: '/mcp', headers: { ...accept, ...headers }, body })).json()
}

async function prompts(gateway: TestGateway, headers: Record<string, string> = {}): Promise<readonly Prompt[]> {
  const all: Prompt[] = []
  for (let cursor: string | undefined; ; ) {
    const { result } = await ask(gateway, 'prompts/list', cursor === undefined ? {} : { cursor }, headers)
    all.push(...result.prompts)
    if ((cursor = result.nextCursor) === undefined) return all
  }
}

test('every skill and agent is a prompt, those that the tenant installed included', async () => {
  await using gateway = await start({ plugins: [installs] })
  const listed = await prompts(gateway)
  const { skills } = await gateway.call('skills_list')
  const { agents } = await gateway.call('agents_list')
  const names = new Set(listed.map(({ name }) => name))
  for (const { name } of skills) assert.ok(names.has(`skill-${name}`), name)
  for (const { name } of agents) assert.ok(names.has(`agent-${name}`), name)
  const prompt = listed.find(({ name }) => name === 'skill-pack-parcels')
  assert.deepEqual([prompt?.description, prompt?.arguments.map(({ name }) => name)], ['Pack parcels.', ['task']])
})

test('a prompt brings the playbook, and the task that it is given', async () => {
  await using gateway = await start({ plugins: [installs] })
  const { result } = await ask(gateway, 'prompts/get', { name: 'skill-pack-parcels', arguments: { task: 'Ten of them.' } })
  assert.equal(result.messages[0].content.text, '# Pack\n\nTape it.\n\n# Task\n\nTen of them.')
  const same = await ask(gateway, 'prompts/get', { name: 'skill', arguments: { name: 'pack-parcels' } })
  assert.equal(same.result.messages[0].content.text, packed.playbook)
})

test('what a tenant installed is unknown to others, and an unknown name is refused', async () => {
  await using gateway = await start({ plugins: [installs] })
  await gateway.tenants.create({ tenantId: 'acme', name: 'Acme', plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })
  const acme = { 'x-api-key': apiKey }
  assert.equal(
    (await prompts(gateway, acme)).some(({ name }) => name === 'skill-pack-parcels'),
    false,
  )
  const { error } = await ask(gateway, 'prompts/get', { name: 'skill-pack-parcels' }, acme)
  assert.deepEqual([error.code, error.message], [-32602, 'Unknown prompt: skill-pack-parcels'])
})
