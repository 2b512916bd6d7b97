import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const program = join(import.meta.dirname, '..', '..', 'bin', 'gateway.js')
const run = (argv: readonly string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [program, ...argv], { env: { PATH: process.env.PATH ?? '', ...env } })

/** Runs agents without a pause; each records the acknowledged changes. */
function load(gateway: TestGateway) {
  let going = true
  const tasks: string[] = []
  const atoms: string[] = []
  const creating = async (): Promise<void> => {
    for (let n = 0; going; n++) {
      const { task } = await gateway.call('tasks_create', { repo: 'web', title: `Task ${n}` })
      tasks.push(task.taskId)
    }
  }
  const learning = async (agent: number): Promise<void> => {
    for (let n = 0; going; n++) {
      const { atom } = await gateway.call('brain_commit', {
        kind: 'memory',
        slug: `fact-${agent}-${n}`,
        content: `# Fact ${agent} ${n}\n\nIt holds.`,
      })
      atoms.push(atom.slug)
    }
  }
  const done = Promise.all([creating(), ...[1, 2, 3, 4].map(learning)])
  return {
    tasks,
    atoms,
    async until(count: number): Promise<void> {
      while (tasks.length < count || atoms.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    end: (): Promise<unknown> => {
      going = false
      return done
    },
  }
}

async function allTasks(gateway: TestGateway): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await gateway.call('tasks_list', { limit: 500, ...(cursor && { cursor }) })
    for (const { taskId } of page.tasks) found.add(taskId)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

test('under load a backup has every call that was acknowledged before it began: store, audit trail and brains, each whole', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-backup-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const gateway = await startTestGateway({ plugins: standardPlugins, dataDir: join(folder, 'data') })
  t.after(() => gateway.stop())
  const agents = load(gateway)
  await agents.until(60)
  const before = { tasks: [...agents.tasks], atoms: [...agents.atoms] }
  const env = { GATEWAY_DATA_DIR: gateway.dataDir, GATEWAY_ROOT: folder }
  await writeFile(join(folder, 'managed-repos.json'), '[]')
  await run(['backup', join(folder, 'copy')], env)
  assert.ok(agents.tasks.length > before.tasks.length && agents.atoms.length > before.atoms.length, 'the agents worked on meanwhile')
  await agents.end()
  await gateway.stop()

  const to = join(folder, 'restored')
  const { stdout } = await run(['restore', join(folder, 'copy'), '--to', to], env)
  assert.match(stdout, /^To run it: /m)
  execFileSync('git', ['-C', join(to, 'brains', 'local.git'), 'fsck', '--full', '--strict'], {
    env: { PATH: process.env.PATH ?? '', HOME: to },
  })
  await run(['audit', 'verify'], { GATEWAY_DATA_DIR: to })

  const restored = await startTestGateway({ plugins: standardPlugins, dataDir: to })
  t.after(() => restored.stop())
  const found = await allTasks(restored)
  for (const taskId of before.tasks) assert.ok(found.has(taskId), taskId)
  const committed = execFileSync('git', ['-C', join(to, 'brains', 'local.git'), 'ls-tree', '-r', '--name-only', 'main'], {
    encoding: 'utf8',
  })
  for (const slug of before.atoms) assert.ok(committed.includes(`${slug}`), slug)
  const { atom } = await restored.call('brain_commit', { kind: 'memory', slug: 'after', content: '# After\n\nIt goes on.' })
  assert.equal(atom.slug, 'after')
})
