import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { bundled } from '../src/rules/bundled.ts'
import { servers, set, start, type TestGateway, toggle } from './support.ts'

// Rules of the clients' documentation for their files, as of November 2026.

const text = { type: 'string' }
const texts = { type: 'object', additionalProperties: text }
const closed = { additionalProperties: false }
/** Claude Code, `.mcp.json`: names of letters, digits, - and _; `${VAR}` and `${VAR:-default}` in command, args, env, url, headers. */
const claudeCode = {
  type: 'object',
  required: ['mcpServers'],
  properties: {
    mcpServers: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z0-9_-]+$' },
      additionalProperties: {
        oneOf: [
          {
            type: 'object',
            required: ['command'],
            properties: { type: { const: 'stdio' }, command: text, args: { type: 'array', items: text }, env: texts },
            ...closed,
          },
          {
            type: 'object',
            required: ['type', 'url'],
            properties: { type: { enum: ['http', 'sse'] }, url: text, headers: texts },
            ...closed,
          },
        ],
      },
    },
  },
  ...closed,
}
/** Cursor, `.cursor/mcp.json`: `type` and `command` of a stdio server; of a remote one `url` and `headers`; `${env:NAME}` in all of them. */
const cursor = {
  type: 'object',
  required: ['mcpServers'],
  properties: {
    mcpServers: {
      type: 'object',
      additionalProperties: {
        oneOf: [
          {
            type: 'object',
            required: ['type', 'command'],
            properties: { type: { const: 'stdio' }, command: text, args: { type: 'array', items: text }, env: texts, envFile: text },
            ...closed,
          },
          {
            type: 'object',
            required: ['url'],
            properties: { type: text, url: text, headers: texts },
            not: { required: ['command'] },
            ...closed,
          },
        ],
      },
    },
  },
}

const ajv = new Ajv2020({ strict: false })
const isClaudeCode = ajv.compile(claudeCode)
const isCursor = ajv.compile(cursor)
const cursorConfig = async (gateway: TestGateway) =>
  (await gateway.inject({ method: 'GET', url: '/api/connectors/mcp-config/cursor' })).json()

const stdio = { transport: 'stdio', command: '${BIN:-node}', args: ['s.js', '--at=${PLACE}'], env: { TOKEN: '${TOKEN}', MODE: 'x' } }
const http = { transport: 'http', url: 'https://${HOST}/mcp', env: { Authorization: 'Bearer ${TOKEN}' } }

test('enabled connectors, and no others, make a project’s configuration', async () => {
  await using gateway = await start()
  assert.deepEqual(
    Object.keys(await servers(gateway)).sort(),
    bundled.filter(({ enabled }) => enabled).map(({ key }) => key),
  )
  for (const { key } of bundled) await toggle(gateway, key, false)
  assert.deepEqual(await gateway.call('connectors_mcp_config'), { mcpServers: {} })
  await set(gateway, 'local', stdio)
  await set(gateway, 'remote', http)
  await set(gateway, 'off', { ...http, enabled: false })
  assert.deepEqual(await servers(gateway), {
    local: { type: 'stdio', command: '${BIN:-node}', args: ['s.js', '--at=${PLACE}'], env: { TOKEN: '${TOKEN}', MODE: 'x' } },
    remote: { type: 'http', url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
  })
})

test('with every connector on it is what Claude Code and Cursor accept as it is', async () => {
  await using gateway = await start()
  for (const { key } of bundled) await toggle(gateway, key, true)
  await set(gateway, 'local', stdio)
  await set(gateway, 'plain', { command: 'run' })
  await set(gateway, 'remote', http)
  const config = await gateway.call('connectors_mcp_config')
  assert.equal(Object.keys(config.mcpServers).length, bundled.length + 3)
  assert.ok(isClaudeCode(config), ajv.errorsText(isClaudeCode.errors))
  assert.ok(isCursor(config), ajv.errorsText(isCursor.errors))
  assert.ok(isCursor(await cursorConfig(gateway)))
})

test('for Cursor references are written as it reads them, and the other value is put where there is one', async () => {
  await using gateway = await start()
  await set(gateway, 'local', stdio)
  await set(gateway, 'remote', http)
  const { mcpServers } = await cursorConfig(gateway)
  assert.deepEqual(mcpServers.local, {
    type: 'stdio',
    command: 'node',
    args: ['s.js', '--at=${env:PLACE}'],
    env: { TOKEN: '${env:TOKEN}', MODE: 'x' },
  })
  assert.deepEqual(mcpServers.remote, { type: 'http', url: 'https://${env:HOST}/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } })
})

test('a reference is never looked up, whatever the environment of the gateway holds', async (t) => {
  const secret = 'do-not-tell'
  process.env.CONNECTOR_TEST_SECRET = secret
  t.after(() => delete process.env.CONNECTOR_TEST_SECRET)
  await using gateway = await start({ env: { CONNECTOR_TEST_SECRET: secret } })
  const reference = '${CONNECTOR_TEST_SECRET}'
  const answers = [
    await set(gateway, 'local', { command: reference, args: [reference], env: { A: reference } }),
    await set(gateway, 'remote', { url: `https://a.example.com/?k=${reference}`, env: { A: reference } }),
    await gateway.call('connectors_list'),
    await gateway.call('connectors_mcp_config'),
    await cursorConfig(gateway),
    await gateway.documents(),
  ]
  for (const answer of answers) assert.ok(!JSON.stringify(answer).includes(secret))
  assert.ok(JSON.stringify(answers[3]).includes(reference))
})

test('no source of the family can run a command, open an address, or see the environment', () => {
  const folder = join(import.meta.dirname, '../src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  assert.ok(sources.length > 10)
  for (const path of sources) {
    assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /from 'node:|from 'undici|fetch\(|process\.|import\(/, path)
  }
})
