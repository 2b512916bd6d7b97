import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runCommand } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

describe('gateway connect --skills', () => {
  let gateway: TestGateway
  let home: string
  before(async () => {
    gateway = await startTestGateway({ plugins: standardPlugins, listen: true })
    home = await mkdtemp(join(tmpdir(), 'gateway-skills-'))
  })
  after(async () => {
    await gateway.stop()
    await rm(home, { recursive: true })
  })

  const run = (...argv: string[]) =>
    runCommand({
      plugins: async () => standardPlugins,
      argv: ['connect', ...argv],
      env: { HOME: home, GATEWAY_URL: gateway.url },
      cwd: home,
    })
  const text = (path: string) => readFile(join(home, path), 'utf8')
  const library = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout).library

  it('writes each skill and agent with name, description and instructions, and says so', async () => {
    const { skills } = await gateway.call('skills_list', {})
    const { agents } = await gateway.call('agents_list', {})
    const { code, stdout } = await run('claude-code', '--skills')
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`${skills.length + agents.length} written, 0 unchanged, 0 removed`))
    for (const { name, description } of skills) {
      assert.match(stdout, new RegExp(`wrote \\.claude/skills/${name}/SKILL\\.md`))
      const written = await text(`.claude/skills/${name}/SKILL.md`)
      const { playbook } = (await (await fetch(`${gateway.url}/api/skills/${name}`)).json()) as { playbook: string }
      assert.ok(
        written.startsWith(`---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`) && written.includes(playbook.trim()),
      )
    }
    for (const { name } of agents) assert.match(await text(`.claude/agents/${name}.md`), new RegExp(`^---\nname: ${name}\n`))
  })

  it('again changes nothing; an edited file and one of somebody else are kept, a stale one is written anew, one that is gone is removed', async () => {
    assert.deepEqual((await library('claude-code', '--skills')).written, [])
    const edited = '.claude/skills/daily-brief/SKILL.md'
    await writeFile(join(home, edited), `${await text(edited)}Mine.\n`)
    const mine = '.claude/skills/design-api/SKILL.md'
    await writeFile(join(home, mine), 'Mine alone.')
    const gone = '.claude/skills/retired/SKILL.md'
    await mkdir(join(home, '.claude/skills/retired'))
    await writeFile(join(home, gone), await text('.claude/skills/compare-options/SKILL.md'))
    const missing = '.claude/agents/director.md'
    await rm(join(home, missing))
    const { written, kept, removed } = await library('claude-code', '--skills')
    assert.deepEqual([written, kept.sort(), removed], [[missing], [edited, mine], [gone]])
    assert.equal(await text(mine), 'Mine alone.')
    await assert.rejects(stat(join(home, '.claude/skills/retired')), { code: 'ENOENT' })
  })

  it('--undo removes the files that are as they were written, and no other', async () => {
    await run('claude-code', '--undo')
    assert.deepEqual((await readdir(join(home, '.claude/skills'))).sort(), ['daily-brief', 'design-api'])
    assert.deepEqual(await readdir(join(home, '.claude/agents')), [])
  })

  for (const [client, file] of [
    ['codex', '.agents/skills/daily-brief/SKILL.md'],
    ['cursor', '.cursor/skills/daily-brief/SKILL.md'],
    ['vscode', '.github/skills/daily-brief/SKILL.md'],
    ['vscode', '.github/agents/director.agent.md'],
    ['gemini', '.gemini/skills/daily-brief/SKILL.md'],
  ] as const)
    it(`${client} gets ${file}`, async () => {
      assert.equal((await run(client, '--skills')).code, 0)
      assert.match(await text(file), /^---\nname: /)
    })

  it('a client without a folder for skills is refused, and nothing is written', async () => {
    const { code, stderr } = await run('windsurf', '--skills')
    assert.notEqual(code, 0)
    assert.match(stderr, /Windsurf has no folder for skills/)
    await assert.rejects(stat(join(home, '.codeium')), { code: 'ENOENT' })
  })
})
