import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { callsGateway } from '../src/operations/calls-gateway.ts'
import { pathAtGateway } from '../src/rules/gateway-address.ts'
import { modelEnv } from '../src/rules/model-env.ts'
import { type Bench, benches } from './support.ts'

const GATEWAY = 'https://gw.example/base'
const FORWARDER = 'http://127.0.0.1:4000'
const RUNNER_KEY = 'gw_live_key-of-the-runner'
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
const CALL_USD = (1_000 + 100 * 10) / 1e6
const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
const models = createServer((request, response) => {
  const answer = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices, usage: USAGE })
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
})
await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve))
after(() => void models.close())
const baseUrl = `http://127.0.0.1:${(models.address() as AddressInfo).port}`
const prices = { 'model-s': { inputPerMTok: 1, outputPerMTok: 10 } }
const api = { wire: 'openai', baseUrl, apiKey: 'key-of-the-provider', models: { standard: 'model-s' }, prices }
const bench = benches({ providers: { providers: { api } }, budgets: { tasks: { '*': { monthlyCapUsd: 5 } } } })

/** Calls a model as an SDK does, keeps the variables it saw, and prints the end of a run of Claude Code. */
const CLAUDE = (folder: string) => `#!${process.execPath}
const { writeFileSync } = require('node:fs')
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, GATEWAY_API_KEY, GATEWAY_URL } = process.env
writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify({ url, key, own: GATEWAY_API_KEY, ownUrl: GATEWAY_URL }))
const body = { model: 'model-s', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
fetch(url + '/v1/messages', { method: 'POST', headers, body: JSON.stringify(body) }).then((response) => {
  const usage = { input_tokens: 1000, output_tokens: 100 }
  const model = { 'model-s': { outputTokens: 100 } }
  const result = { type: 'result', subtype: 'success', is_error: response.status !== 200, result: 'status ' + response.status, total_cost_usd: 3, usage, modelUsage: model }
  console.log(JSON.stringify(result))
})
`

/** Lets the lane run a program in the place of Claude Code. */
function install(b: Bench, source: string): void {
  const program = join(b.folder, 'claude')
  writeFileSync(program, source, { mode: 0o755 })
  b.configure({ agents: { own: { adapter: 'claude', command: program } }, lanes: { primary: { agents: { '*': 'own' } } } })
}

test('an agent whose variables name the gateway calls models with the key of its task, and each call is charged once', async (t) => {
  const b = await bench(t)
  install(b, CLAUDE(b.folder))
  // These values are those of `eval "$(gateway connect --models env)"`, with another name of the same host.
  const address = b.gateway.url.replace('127.0.0.1', 'localhost')
  Object.assign(b.env, { ANTHROPIC_BASE_URL: address, ANTHROPIC_AUTH_TOKEN: RUNNER_KEY })
  const taskId = await b.task('Say that you are done.')
  const { code, stdout, stderr } = await b.once()
  assert.equal(code, 0, stdout + stderr)
  assert.equal((await b.get(taskId)).status, 'review')
  const seen = JSON.parse(readFileSync(join(b.folder, 'seen.json'), 'utf8'))
  assert.deepEqual([seen.url, seen.key], [seen.ownUrl, seen.own])
  const { totalUsd, calls, byTask, byAgent } = await b.gateway.call('budgets_breakdown')
  assert.deepEqual([totalUsd, calls, byTask[0].task, byAgent[0].agent], [CALL_USD, 1, taskId, 'own'])
  const [job] = (await b.gateway.call('job_history_search', { taskId })).jobs
  const { inputTokens, outputTokens, usd, charged } = job.usage
  assert.deepEqual([inputTokens, outputTokens, usd, charged], [1_000, 100, undefined, true])
})

test('usage of an agent that calls a vendor directly counts as it did', async (t) => {
  const b = await bench(t)
  install(b, CLAUDE(b.folder))
  Object.assign(b.env, { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_AUTH_TOKEN: 'sk-of-the-vendor' })
  const taskId = await b.task('Say that you are done.')
  assert.equal((await b.once()).code, 0)
  const [job] = (await b.gateway.call('job_history_search', { taskId })).jobs
  assert.deepEqual([job.usage.usd, job.usage.charged], [3, undefined])
  const { byTask } = await b.gateway.call('budgets_breakdown')
  assert.equal(byTask.find(({ task }: { task: string }) => task === taskId).costUsd, 3)
})

test('no variable of an agent holds the key of the runner, and keys of vendors stay', () => {
  const own = { url: FORWARDER, apiKey: 'key-of-the-task' }
  const access = { gatewayUrl: GATEWAY, runnerKey: RUNNER_KEY, own }
  const vendor = { ANTHROPIC_API_KEY: 'sk-of-the-vendor', ANTHROPIC_BASE_URL: 'https://api.anthropic.com', PATH: '/bin' }
  assert.deepEqual(modelEnv({ ...vendor, OPENAI_API_KEY: RUNNER_KEY }, access), { OPENAI_API_KEY: own.apiKey })
  assert.deepEqual(modelEnv({ OPENAI_BASE_URL: `${GATEWAY}/v1` }, access), {
    OPENAI_BASE_URL: `${FORWARDER}/v1`,
    OPENAI_API_KEY: own.apiKey,
  })
  assert.deepEqual(modelEnv(vendor, { ...access, runnerKey: '' }), {})
  assert.deepEqual(modelEnv({ OPENAI_API_KEY: RUNNER_KEY }, { ...access, own: undefined }), {}, 'without a key of the task nothing changes')
})

test('an address is the gateway’s by host, port and path, under each name of the loopback', () => {
  for (const [address, gateway, path] of [
    ['https://gw.example/base/v1', GATEWAY, '/v1'],
    ['https://gw.example:443/base/', GATEWAY, ''],
    ['https://gw.example/basement/v1', GATEWAY, undefined],
    ['http://gw.example/base', GATEWAY, undefined],
    ['http://localhost:7411', 'http://127.0.0.1:7411', ''],
    ['http://[::1]:7411/v1', 'http://localhost:7411', '/v1'],
    ['http://localhost:7412', 'http://127.0.0.1:7411', undefined],
    ['https://api.anthropic.com', 'http://127.0.0.1:7411', undefined],
    ['nonsense', 'http://127.0.0.1:7411', undefined],
  ] as const)
    assert.equal(pathAtGateway(address, gateway), path, `${address} at ${gateway}`)
})

test('the configuration of Claude Code and Codex decides where they call models, in its order of precedence', async (t) => {
  const b = await bench(t)
  const [home, worktree] = [join(b.folder, 'home'), join(b.folder, 'tree')]
  const put = (path: string, text: string): void => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const asks = (adapter: 'claude' | 'codex' | 'gemini' | 'shell', env: object = {}, args: readonly string[] = []) =>
    callsGateway({ adapter, args: [...args] }, { HOME: home, ...env }, { worktree, gatewayUrls: [GATEWAY, FORWARDER] })
  const settings = (url: string) => JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } })
  assert.equal(await asks('claude'), false)
  put(join(home, '.claude', 'settings.json'), settings(GATEWAY))
  assert.equal(await asks('claude', { ANTHROPIC_BASE_URL: 'https://api.anthropic.com' }), true)
  put(join(worktree, '.claude', 'settings.json'), settings('https://api.anthropic.com'))
  assert.equal(await asks('claude', { ANTHROPIC_BASE_URL: GATEWAY }), false)
  mkdirSync(join(worktree, '.claude', 'settings.local.json'))
  assert.equal(await asks('claude'), false)
  assert.equal(await asks('codex', { OPENAI_BASE_URL: `${GATEWAY}/v1` }), false, 'Codex does not read it')
  const provider = (lines: string) => `model = "standard" # a model\nmodel_provider = "gateway"\n\n[model_providers.gateway]\n${lines}\n`
  const config = join(home, '.codex', 'config.toml')
  put(config, provider('name = "G"\nbase_url = "https://other-name.example/v1"\nenv_key = "GATEWAY_API_KEY"'))
  assert.equal(await asks('codex'), true, 'the key of the task is good at the gateway alone')
  assert.equal(await asks('codex', {}, ['-c', 'model_provider="openai"']), false)
  assert.equal(await asks('codex', { CODEX_HOME: join(home, 'none') }), false)
  put(config, provider(`base_url = '${FORWARDER}/v1'`))
  assert.equal(await asks('codex'), true)
  put(config, provider('base_url = "https://api.example/v1"'))
  assert.equal(await asks('codex'), false)
  assert.equal(await asks('codex', {}, ['--config=model_providers.gateway.base_url=https://gw.example/base/v1']), true)
  put(join(home, '.codex', 'cheap.config.toml'), 'model_provider = "openai"\n')
  put(config, `openai_base_url = "${GATEWAY}/v1"\n${provider('base_url = "https://api.example/v1"')}`)
  assert.deepEqual([await asks('codex'), await asks('codex', {}, ['--profile', 'cheap'])], [false, true])
  assert.equal(await asks('gemini', { GOOGLE_GEMINI_BASE_URL: GATEWAY }), false)
  assert.deepEqual([await asks('shell'), await asks('shell', { OPENAI_BASE_URL: `${GATEWAY}/v1` })], [false, true])
})
