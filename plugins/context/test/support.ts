import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import repos from '@gateway/plugin-repos'
import state from '@gateway/plugin-state'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { contribute, definePlugin, type Plugin } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { type BootPart, type BootRecall, bootPart, bootRecall } from '../src/api.ts'
import context from '../src/index.ts'
import { BOUNDARY } from '../src/rules/bundle.ts'

export const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const

export const part = (spec: BootPart): Plugin =>
  definePlugin({
    id: 'a-part',
    sdk: '^1.0.0',
    description: 'A part for tests.',
    contributes: [contribute(bootPart, { create: () => spec })],
  })
export const recall = (spec: BootRecall): Plugin =>
  definePlugin({
    id: 'a-recall',
    sdk: '^1.0.0',
    description: 'A source for tests.',
    contributes: [contribute(bootRecall, { create: () => spec })],
  })

/** Starts a gateway whose root is the master repo `hub`, with a managed repo `web`. */
export async function start(plugins: readonly Plugin[] = [], config: object = {}, env: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-context-'))
  const root = join(folder, 'hub')
  await mkdir(root)
  await mkdir(join(folder, 'web'))
  await writeFile(join(root, 'managed-repos.json'), JSON.stringify([{ name: 'web', path: join(folder, 'web'), group: 'apps' }]))
  const gateway = await startTestGateway({
    plugins: [trash, tasks, repos, state, context, ...plugins],
    env: { GATEWAY_ROOT: root, ...env },
    config: { context: { ...config } },
  })
  return {
    gateway,
    /** A boot with every member, unless `args` has its own `include`. */
    boot: (args: object = {}, as = {}) => gateway.call('context_boot', { include: ['brief', 'manifest', 'snippets'], ...args }, as),
    async state(repo: string, content: string) {
      const file = join(folder, repo, '.gateway', 'STATE.md')
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    },
    async file(repo: string, path: string, content: string) {
      const file = join(folder, repo, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    },
    handoff: (repo: string, content: string, more: object = {}, as = {}) => gateway.call('handoff_write', { repo, content, ...more }, as),
    [Symbol.asyncDispose]: async () => {
      await gateway.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const above = (bundle: string): string => bundle.slice(0, bundle.indexOf(BOUNDARY))
export const below = (bundle: string): string => bundle.slice(bundle.indexOf(BOUNDARY) + BOUNDARY.length)
