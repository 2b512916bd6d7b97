import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

const folder = await mkdtemp(join(tmpdir(), 'gateway-knowledge-'))
const [root, web] = [join(folder, 'hub'), join(folder, 'web')]
for (const repo of [root, web]) await mkdir(join(repo, '.gateway', 'archive'), { recursive: true })
await writeFile(join(root, 'managed-repos.json'), JSON.stringify([{ name: 'web', path: web }]))
await writeFile(join(root, '.gateway', 'STATE.md'), '# State\n\n## Now\n\nThe invoices are printed by the heliograph service.\n')
await writeFile(
  join(web, '.gateway', 'archive', 'spring.md'),
  '# Archive\n\n## 2026-03-02 Login\n\nCookies of the periscope page expire.\n',
)
after(() => rm(folder, { recursive: true, force: true }))

const contents = ({ results, chunks }: Record<string, readonly { content: string }[]>): string =>
  (results ?? chunks ?? []).map(({ content }) => content).join('\n')

test('state files and archives are found by memory_search once they are indexed, and at a boot that asks', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env: { GATEWAY_ROOT: root } })
  const find = async (query: string): Promise<string> => contents(await gateway.call('memory_search', { query }))
  assert.equal(await find('heliograph'), '')
  const first = await gateway.call('memory_reindex', { scope: 'all' })
  assert.ok(first.totalStored >= 2)
  assert.match(await find('heliograph'), /invoices are printed/)
  assert.match(await find('periscope'), /Cookies/)
  assert.equal((await gateway.call('memory_reindex', { scope: 'all' })).totalStored, 0)
  const { bundle } = await gateway.call('context_boot', { repo: 'hub', query: 'heliograph' })
  assert.match(JSON.stringify(bundle), /invoices are printed/)
})

const noGit = spawnSync('git', ['--version']).error !== undefined
test(`session atoms of the brain are found by recall_session${noGit ? ' (skipped: no git)' : ''}`, { skip: noGit }, async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, env: { GATEWAY_ROOT: root } })
  await gateway.call('brain_commit', {
    kind: 'session',
    repo: 'web',
    slug: 'night',
    content: '# Night\n\nThe astrolabe cache was too small.',
  })
  await gateway.call('memory_reindex', {})
  assert.match(JSON.stringify(await gateway.call('recall_session', { query: 'astrolabe' })), /too small/)
})
