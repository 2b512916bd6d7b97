import assert from 'node:assert/strict'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DoctorCheck, DoctorFinding } from '@gateway/sdk'
import type { AgentSummary, SkillSummary } from '../src/api.ts'
import { definitionsCheck } from '../src/contributions/doctor-check.ts'
import { folder, start } from './support.ts'

/** Returns the answers of a gateway whose only folder has these files, without the bundled ones. */
async function collection(files: Readonly<Record<string, string>>, prepare?: (path: string) => Promise<void>) {
  const directory = await folder(files)
  await prepare?.(directory.path)
  const gateway = await start({ config: { agents: { dirs: [directory.path] } } })
  const get = async (path: string) => (await gateway.inject({ method: 'GET', url: path })).json()
  const own = <T extends { origin: string }>(items: readonly T[]): T[] => items.filter(({ origin }) => origin === 'folder')
  const agents = async (): Promise<AgentSummary[]> => own((await gateway.call('agents_list')).agents)
  const skills = async (): Promise<SkillSummary[]> => own((await gateway.call('skills_list')).skills)
  const leftOut = async () => [(await gateway.call('agents_list')).leftOut, (await gateway.call('skills_list')).leftOut]
  const doctor = async (): Promise<readonly DoctorFinding[]> => {
    const check = definitionsCheck.create({ config: { dirs: [directory.path] } } as never, undefined as never) as DoctorCheck
    return [await check.check(undefined as never)].flat()
  }
  return {
    path: directory.path,
    get,
    agents,
    skills,
    leftOut,
    doctor,
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await directory[Symbol.asyncDispose]()
    },
  }
}

const plain = (name: string, more = '') => `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\nYou do it.\n`

test('an agent with a name and a description alone is loaded, with the category of its folder or a default', async () => {
  await using own = await collection({
    'agents/alone.md': plain('alone'),
    'agents/ops/restarter.md': plain('restarter'),
    'agents/05-data-ai/loader.md': plain('loader'),
    'agents/quality-security/auditor.md': plain('auditor'),
    'agents/business-product/nested/deep/seller.md': plain('seller'),
    'agents/said.md': plain('said', 'category: engineering\n'),
    'agents/README.md': '# A collection\n',
  })
  const found = Object.fromEntries((await own.agents()).map(({ name, category }) => [name, category]))
  assert.deepEqual(found, { alone: 'dev', restarter: 'ops', loader: 'data', auditor: 'ops', seller: 'content', said: 'dev' })
  assert.deepEqual(await own.leftOut(), [0, 0])
})

test('tools are a list or texts with commas between them', async () => {
  await using own = await collection({
    'agents/a.md': plain('a', 'tools: Read, Write,  Bash(git add, git commit)\n'),
    'agents/b.md': plain('b', 'tools:\n  - Read\n  - mcp__gateway__tasks_list\n'),
    'agents/c.md': plain('c', 'tools: [Read, Grep]\n'),
    'agents/d.md': plain('d', 'tools:\n'),
    'agents/e.md': plain('e', "tools: '*'\n"),
  })
  const tools = async (name: string) => (await own.get(`/api/agents/${name}`)).tools
  assert.deepEqual(await tools('a'), ['Read', 'Write', 'Bash(git add, git commit)'])
  assert.deepEqual(await tools('b'), ['Read', 'mcp__gateway__tasks_list'])
  assert.deepEqual(await tools('c'), ['Read', 'Grep'])
  assert.deepEqual(await tools('d'), [])
  assert.deepEqual(await tools('e'), ['*'])
})

test('the name of a vendor’s model becomes a tier, and one that is unknown leaves the tier open', async () => {
  const models = {
    haiku: 'budget',
    sonnet: 'standard',
    opus: 'premium',
    'claude-opus-4-1-20250805': 'premium',
    'gpt-5-mini': 'budget',
    'gpt-5': 'standard',
    'gemini-2.5-flash': 'budget',
    'gemini-2.5-pro': 'premium',
    o3: 'premium',
    inherit: undefined,
    'house-model': undefined,
  }
  const name = (model: string) => `m-${model.replaceAll('.', '-')}`
  await using own = await collection(
    Object.fromEntries(Object.keys(models).map((model) => [`agents/${name(model)}.md`, plain(name(model), `model: ${model}\n`)])),
  )
  const tiers = new Map((await own.agents()).map((agent) => [agent.name, agent.tier]))
  for (const [model, tier] of Object.entries(models)) assert.equal(tiers.get(name(model)), tier, model)
})

test('a description that YAML refuses is read as plain text, and a long one is short in lists', async () => {
  const long = `Use this agent when: the user asks. Examples: user: "help me" assistant: 'yes' ${'and more '.repeat(200)}`.trim()
  await using own = await collection({
    'agents/colon.md': '---\nname: colon\ndescription: Use this when: asked, e.g. "user: help"\nmodel: opus\n---\n\nYou do it.\n',
    'agents/long.md': `---\nname: long\ndescription: ${long}\n---\n\nYou do it.\n`,
    'agents/windows.md': plain('windows', 'tools: Read, Write\n').replaceAll('\n', '\r\n'),
    'agents/marked.md': `\ufeff${plain('marked')}`,
  })
  const found = new Map((await own.agents()).map((agent) => [agent.name, agent]))
  assert.deepEqual([...found.keys()], ['colon', 'long', 'marked', 'windows'])
  assert.deepEqual([found.get('colon')?.description, found.get('colon')?.tier], ['Use this when: asked, e.g. "user: help"', 'premium'])
  assert.equal(found.get('long')?.description.length, 500)
  assert.equal((await own.get('/api/agents/long')).description, long)
  assert.equal(found.get('windows')?.toolCount, 2)
})

test('a name as people write it becomes one of letters, digits and hyphens', async () => {
  await using own = await collection({
    'agents/a.md': plain('Frontend Developer'),
    'agents/b.md': plain('code_reviewer'),
    'agents/c.md': plain('Résumé Writer'),
  })
  assert.deepEqual(
    (await own.agents()).map(({ name }) => name),
    ['code-reviewer', 'frontend-developer', 'resume-writer'],
  )
})

test('skills are read from folders with SKILL.md, and what else stands in such a folder belongs to the skill', async () => {
  await using own = await collection({
    'skills/pdf-forms/SKILL.md': plain('pdf-forms', 'license: MIT\nallowed-tools: Read, Bash\n'),
    'skills/pdf-forms/reference.md': '# No definition\n',
    'skills/pdf-forms/examples/one.md': plain('example'),
    'skills/writing/release-letter/SKILL.md': '---\ndescription: Writes a letter.\n---\n\nWrite it.\n',
    'skills/flat.md': plain('flat', 'triggers: [a, b]\n'),
  })
  const skills = await own.skills()
  assert.deepEqual(
    skills.map(({ name, triggers }) => [name, triggers]),
    [
      ['flat', ['a', 'b']],
      ['pdf-forms', []],
      ['release-letter', []],
    ],
  )
  assert.equal((await own.get('/api/skills/pdf-forms')).playbook, 'You do it.')
  assert.deepEqual(await own.leftOut(), [0, 0])
})

test('a collection without folders of kinds is one of agents and skills', async () => {
  await using own = await collection({
    'categories/01-infrastructure/sre.md': plain('sre'),
    'plugins/forms/skills/fill/SKILL.md': plain('fill'),
    'README.md': '# A collection\n',
  })
  assert.deepEqual(
    (await own.agents()).map(({ name, category }) => [name, category]),
    [['sre', 'ops']],
  )
  assert.deepEqual(
    (await own.skills()).map(({ name }) => name),
    ['fill'],
  )
})

test('lists say how many files were left out, and the doctor names each', async () => {
  await using own = await collection({
    'agents/good.md': plain('good'),
    'agents/sub/no-head.md': 'Only text.\n',
    'agents/no-name.md': '---\ndescription: Nameless.\n---\n\nYou do it.\n',
    'agents/tools.md': plain('tools', 'tools: {a: 1}\n'),
    'skills/empty/SKILL.md': '---\nname: empty\ndescription: Has no playbook.\n---\n',
  })
  assert.deepEqual(await own.leftOut(), [3, 1])
  const named = (await own.doctor()).map(({ detail }) => detail.slice(own.path.length))
  assert.deepEqual(named.map((detail) => detail.split(' is left out: ')[0]).sort(), [
    '/agents/no-name.md',
    '/agents/sub/no-head.md',
    '/agents/tools.md',
    '/skills/empty/SKILL.md',
  ])
  assert.match(named.join('\n'), /tools must be a list of texts/)
})

test('links to folders are followed, and one that leads in a circle ends', async () => {
  await using elsewhere = await folder({ 'linked/SKILL.md': plain('linked') })
  await using own = await collection({ 'agents/a.md': plain('a') }, async (path) => {
    await mkdir(join(path, 'skills'))
    await symlink(join(elsewhere.path, 'linked'), join(path, 'skills', 'linked'))
    await symlink(join(path, 'agents'), join(path, 'agents', 'circle'))
  })
  assert.deepEqual(
    (await own.skills()).map(({ name }) => name),
    ['linked'],
  )
  assert.deepEqual(
    (await own.agents()).map(({ name }) => name),
    ['a'],
  )
})
