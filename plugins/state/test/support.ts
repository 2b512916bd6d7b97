import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import repos from '@gateway/plugin-repos'
import { startTestGateway } from '@gateway/testing'
import state from '../src/index.ts'

export const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const

/** Starts a gateway whose root is the master repo `hub`, with a managed repo `web` next to it. */
export async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-state-'))
  const [root, web] = [join(folder, 'hub'), join(folder, 'web')]
  await mkdir(root)
  await mkdir(web)
  await writeFile(join(root, 'managed-repos.json'), JSON.stringify([{ name: 'web', path: web }]))
  const gateway = await startTestGateway({ plugins: [repos, state], env: { GATEWAY_ROOT: root } })
  return {
    gateway,
    folder,
    root,
    web,
    file: (repo: string, name: string) => join(folder, repo, '.gateway', name),
    read: (repo: string, name: string) => readFile(join(folder, repo, '.gateway', name), 'utf8'),
    async put(repo: string, name: string, content: string | Buffer) {
      const file = join(folder, repo, '.gateway', name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
