import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import brain from '@gateway/plugin-brain'
import { brainCommitted } from '@gateway/plugin-brain/api'
import entitlements from '@gateway/plugin-entitlements'
import git from '@gateway/plugin-git'
import memory from '@gateway/plugin-memory'
import { definePlugin, on } from '@gateway/sdk'
import plugin from '../src/index.ts'
import { acme, atomPath, clientGit, commit, commitFile, folder, remote, start } from './support.ts'

test('what is pushed is announced as what is committed: the new atoms of each branch, once, and nothing of a push that is refused', async () => {
  const heard: { branch: string; commit: string; paths: readonly string[]; namespaces: readonly string[] }[] = []
  const listener = definePlugin({
    id: 'listener',
    sdk: '^1.0.0',
    description: 'Hears what the brain tells.',
    on: [on(brainCommitted, { handle: async (news) => void heard.push(news) })],
  })
  const gateway = await start({ plugins: [git, memory, entitlements, brain, plugin, listener] })
  const clone = await folder()
  try {
    await commit(gateway, 'first')
    const { token } = await gateway.call('brain_host_provision', {}, acme)
    await clientGit(clone, 'clone', '-q', remote(gateway, token), '.')
    const put = async (slug: string, place?: string): Promise<string> => {
      const path = atomPath(slug, `# ${slug}`, place)
      await commitFile(clone, path, `# ${slug}`)
      return path
    }
    const one = await put('one')
    const two = await put('two', 'memory')
    await clientGit(clone, 'push', '-q', 'origin', 'HEAD:main')
    const first = await clientGit(clone, 'rev-parse', 'HEAD')
    const three = await put('three', 'repos/app/session')
    await clientGit(clone, 'push', '-q', 'origin', 'HEAD:idea/mine')
    const second = await clientGit(clone, 'rev-parse', 'HEAD')
    await clientGit(clone, 'rm', '-q', one)
    await clientGit(clone, 'commit', '-qm', 'drop')
    await assert.rejects(clientGit(clone, 'push', '-q', 'origin', 'HEAD:main'))
    await gateway.stop()
    assert.deepEqual(
      heard.slice(1).map((news) => ({ ...news, paths: [...news.paths].sort() })),
      [
        { branch: 'main', commit: first, paths: [one, two].sort(), namespaces: ['web'] },
        { branch: 'idea/mine', commit: second, paths: [three], namespaces: ['app'] },
      ],
    )
  } finally {
    await gateway.stop()
    await rm(clone, { recursive: true, force: true })
  }
})
