import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startTestGateway, type TestGateway } from '@gateway/sdk/testing'
import repos from '../src/index.ts'

export type { TestGateway }

export const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const

/** A folder for repos, and a gateway whose root it holds. */
export async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-repos-'))
  const root = join(folder, 'root')
  await mkdir(root)
  const gateway = await startTestGateway({ plugins: [repos], env: { GATEWAY_ROOT: root } })
  return {
    gateway,
    folder,
    file: join(root, 'managed-repos.json'),
    [Symbol.asyncDispose]: async () => {
      await gateway.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Make these files, with their folders; one that ends in a slash is a folder. */
export async function put(folder: string, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const whole = join(folder, path)
    await mkdir(path.endsWith('/') ? whole : dirname(whole), { recursive: true })
    if (!path.endsWith('/')) await writeFile(whole, '')
  }
}

export const whole = ['.git/', '.gateway/STATE.md', '.gateway/HANDOFF.md']
export const ALL = { exists: true, isGitRepo: true, hasFramework: true, hasStateAndHandoff: true }
export const NONE = { exists: false, isGitRepo: false, hasFramework: false, hasStateAndHandoff: false }

/** For `assert.rejects`: BAD_REQUEST that names this field. */
export function names(field: string): (error: unknown) => boolean {
  return (error) => {
    const { code, details } = error as { code?: string; details?: { field?: string } }
    assert.deepEqual([code, details?.field], ['BAD_REQUEST', field])
    return true
  }
}
