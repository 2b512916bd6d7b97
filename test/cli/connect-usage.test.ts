import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { runCommand } from '@gateway/cli'
import { startTestGateway, type TestGateway } from '@gateway/testing'

describe('gateway connect has a host report the quotas of its account', () => {
  let gateway: TestGateway
  let home: string
  before(async () => void (gateway = await startTestGateway({ plugins: [], listen: true })))
  beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'gateway-usage-'))))
  after(() => gateway.stop())

  const run = (...argv: string[]) =>
    runCommand({ plugins: async () => [], argv: ['connect', ...argv], env: { HOME: home, GATEWAY_URL: gateway.url }, cwd: home })
  const json = async (path: string) => JSON.parse(await readFile(join(home, path), 'utf8'))
  const put = async (path: string, content: object) => {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), JSON.stringify(content))
  }
  const done = () => rm(home, { recursive: true })

  it('Claude Code gets a status line beside its other settings, once, and --undo takes it back', async () => {
    const file = '.claude/settings.local.json'
    await put(file, { model: 'opus' })
    const { code, stdout } = await run('claude-code', '--account', "ada's max")
    assert.equal(code, 0)
    assert.match(stdout, /It reports the quotas of its account, by .*settings\.local\.json\./)
    await run('claude-code', '--account', "ada's max")
    const { model, statusLine } = await json(file)
    assert.deepEqual([model, statusLine.type], ['opus', 'command'])
    assert.ok(statusLine.command.endsWith(` hook status-line --url ${gateway.url} --account 'ada'\\''s max'`), statusLine.command)
    assert.match((await run('claude-code', '--undo')).stdout, /The entry is taken out of .*settings\.local\.json\./)
    assert.deepEqual(await json(file), { model: 'opus' })
    await done()
  })

  it('a status line of the user stays, wherever it is, and the way to keep both is named', async () => {
    const own = { statusLine: { type: 'command', command: 'mine.sh' } }
    for (const file of ['.claude/settings.json', '.claude/settings.local.json']) {
      await put(file, own)
      const { code, stdout } = await run('claude-code')
      assert.equal(code, 0)
      assert.match(stdout, /has a status line and stays as it is\. .* hook status-line .*--line YOUR-COMMAND/)
      assert.deepEqual(await json(file), own)
      await rm(join(home, file))
      assert.equal(existsSync(join(home, '.claude/settings.local.json')), false)
    }
    await done()
  })

  it('Codex gets a hook at the end of a turn beside the other hooks, once, is told to trust it, and --undo takes it back', async () => {
    const file = '.codex/hooks.json'
    const others = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine.sh' }] }], SessionStart: [] } }
    await put(file, others)
    assert.match((await run('codex')).stdout, /trust the hook .*: open \/hooks there\./)
    await run('codex')
    const { hooks } = await json(file)
    assert.deepEqual(hooks.Stop[0], others.hooks.Stop[0])
    assert.deepEqual([hooks.Stop.length, hooks.Stop[1].hooks[0].timeout], [2, 10])
    assert.ok(hooks.Stop[1].hooks[0].command.endsWith(` hook turn-end --url ${gateway.url}`))
    await run('codex', '--undo')
    assert.deepEqual(await json(file), others)
    await rm(join(home, file))
    await run('codex')
    await run('codex', '--undo')
    assert.equal(existsSync(join(home, file)), false)
    await done()
  })

  it('--no-usage leaves both out, a client without quotas has none, and a file with comments is named and stays', async () => {
    await run('claude-code', '--no-usage')
    await run('codex', '--no-usage')
    assert.deepEqual([existsSync(join(home, '.claude/settings.local.json')), existsSync(join(home, '.codex/hooks.json'))], [false, false])
    assert.equal(JSON.parse((await run('cursor', '--json')).stdout).usage, undefined)
    await mkdir(join(home, '.claude'), { recursive: true })
    await writeFile(join(home, '.claude/settings.local.json'), '{ // mine\n}')
    const { usage } = JSON.parse((await run('claude-code', '--json')).stdout)
    assert.deepEqual([usage.isWritten, /is not plain JSON and was not changed/.test(usage.say)], [false, true])
    assert.match((await run('claude-code', '--models', '--no-usage')).stderr, /--no-usage cannot be used with --models/)
    await done()
  })
})
