import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { runCommand } from '@gateway/cli'
import modelEndpoint from '@gateway/plugin-model-endpoint'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const api = { wire: 'openai', baseUrl: 'http://127.0.0.1:9', models: { standard: 'model-s' } }

describe('gateway connect --models', () => {
  let gateway: TestGateway
  let home: string
  before(async () => {
    const config = { providers: { providers: { api } } }
    gateway = await startTestGateway({ plugins: [outgoing, providers, modelEndpoint], config, listen: true })
  })
  beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'gateway-models-'))))
  after(() => gateway.stop())

  const run = async (argv: readonly string[], env: Record<string, string> = {}) => {
    const plugins = async () => []
    return runCommand({ plugins, argv: ['connect', ...argv], env: { HOME: home, GATEWAY_URL: gateway.url, ...env }, cwd: home })
  }
  const text = (path: string) => readFile(join(home, path), 'utf8')
  const put = async (path: string, content: string) => {
    await mkdir(join(home, path, '..'), { recursive: true })
    await writeFile(join(home, path), content)
  }
  const done = () => rm(home, { recursive: true })

  it('gives Claude Code the address and the command that prints the key, keeps its other settings, and takes both back', async () => {
    const file = '.claude/settings.json'
    const others = { model: 'opus', env: { FOO: 'bar' } }
    await put(file, JSON.stringify(others))
    const { code, stdout } = await run(['claude-code', '--models'])
    assert.equal(code, 0)
    assert.match(stdout, /serves 3 names of models, such as standard, model-s, api\/model-s/)
    const written = JSON.parse(await text(file))
    assert.deepEqual(written, {
      model: 'opus',
      env: { FOO: 'bar', ANTHROPIC_BASE_URL: gateway.url },
      apiKeyHelper: 'printenv GATEWAY_API_KEY',
    })
    assert.equal((await run(['claude-code', '--models'])).code, 0)
    assert.match((await run(['claude-code', '--models', '--undo'])).stdout, /taken out/)
    assert.deepEqual(JSON.parse(await text(file)), others)
    assert.match((await run(['claude-code', '--models', '--undo'])).stdout, /no such entry/)
    await done()
  })

  it('gives Codex a provider and its choice before all tables, keeps comments and other tables, and takes both back', async () => {
    const file = '.codex/config.toml'
    const others = '# mine\napproval_policy = "on-request"\n\n[tui]\ntheme = "dark"\n'
    await put(file, others)
    assert.equal((await run(['codex', '--models'])).code, 0)
    const table = `[model_providers.gateway]\nname = "Gateway"\nbase_url = "${gateway.url}/v1"\nenv_key = "GATEWAY_API_KEY"\nwire_api = "responses"\n`
    assert.equal(await text(file), `model_provider = "gateway"\n\n${others}\n${table}`)
    assert.equal((await run(['codex', '--models'])).code, 0)
    assert.equal((await text(file)).match(/gateway"/g)?.length, 1)
    await run(['codex', '--models', '--undo'])
    assert.equal(await text(file), others)
    await done()
  })

  it('changes nothing where another choice stands, and names it', async () => {
    await put('.codex/config.toml', 'model_provider = "azure"\n')
    await put('.claude/settings.json', '{"apiKeyHelper":"vault read key"}')
    const codex = await run(['codex', '--models'])
    assert.deepEqual([codex.code, await text('.codex/config.toml')], [1, 'model_provider = "azure"\n'])
    assert.match(codex.stderr, /model_provider = "azure"/)
    const claude = await run(['claude-code', '--models'])
    assert.deepEqual([claude.code, await text('.claude/settings.json')], [1, '{"apiKeyHelper":"vault read key"}'])
    assert.match(claude.stderr, /another `apiKeyHelper`/)
    await done()
  })

  it('prints the variables of both SDKs for a shell', async () => {
    const { code, stdout, stderr } = await run(['env', '--models'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(stdout.trim().split('\n'), [
      `export OPENAI_BASE_URL=${gateway.url}/v1`,
      'export OPENAI_API_KEY="$GATEWAY_API_KEY"',
      `export ANTHROPIC_BASE_URL=${gateway.url}`,
      'export ANTHROPIC_AUTH_TOKEN="$GATEWAY_API_KEY"',
      'unset ANTHROPIC_API_KEY',
    ])
    const { variables, unset } = (await run(['env', '--models', '--json'])).json() as {
      variables: Record<string, string>
      unset: string[]
    }
    assert.deepEqual([variables.OPENAI_BASE_URL, variables.ANTHROPIC_BASE_URL], [`${gateway.url}/v1`, gateway.url])
    assert.deepEqual([variables.OPENAI_API_KEY, unset], ['$GATEWAY_API_KEY', ['ANTHROPIC_API_KEY']])
    await done()
  })

  it('names what a wrong key, an unknown client and an option of MCP come to', async () => {
    const wrong = await run(['codex', '--models'], { GATEWAY_API_KEY: 'gw_live_wrong' })
    assert.notEqual(wrong.code, 0)
    assert.match(wrong.stderr, /the configuration is written, and the test failed: .*key/i)
    assert.match((await run(['cursor', '--models'])).stderr, /claude-code, codex, env/)
    assert.match((await run(['codex', '--models', '--stdio'])).stderr, /--stdio cannot be used with --models/)
    assert.match((await run(['env'])).stderr, /`env` needs --models: `gateway connect --models env`/)
    await done()
  })
})
