/** Checks the operations page for a machine that runs only the service. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { root, withDependencies, workspaces } from '../../scripts/workspaces.mjs'
import { run, UNREACHABLE } from '../plugins/outside.ts'

const folder = await mkdtemp(join(tmpdir(), 'gateway-checkout-'))
after(() => rm(folder, { recursive: true, force: true }))
const NOT_OF_THE_CHECKOUT = new Set(['.git', 'node_modules', 'dist'])
await cp(root, folder, { recursive: true, filter: (path) => !NOT_OF_THE_CHECKOUT.has(basename(path)) })

const installed = await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1'], folder)
const unreachable = installed.code === 0 ? undefined : UNREACHABLE.exec(installed.output)?.[0]
if (installed.code !== 0 && unreachable === undefined) throw new Error(installed.output)
const promise =
  'after `npm ci --omit=dev`, which leaves the compiler out, `npm start` builds and serves, and who ends npm has ended the gateway'
const name = unreachable === undefined ? promise : `${promise} (skipped: npm reaches no registry: ${unreachable})`

test(name, { skip: unreachable !== undefined }, async () => {
  assert.ok(!(await readdir(join(folder, 'node_modules'))).includes('typescript'))
  const { PATH = '' } = process.env
  const data = join(folder, 'data')
  const env = { PATH, HOME: folder, GATEWAY_PORT: '0', GATEWAY_DATA_DIR: data, GATEWAY_LOG_LEVEL: 'warn', GATEWAY_EMBEDDINGS: 'off' }
  const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(npm, 'exit')
  try {
    for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith('└─')) break
    const { url, pid } = JSON.parse(await readFile(join(data, 'process', 'service.json'), 'utf8')) as { url: string; pid: number }
    assert.equal((await fetch(`${url}/health`)).status, 200)
    const answer = await fetch(`${url}/api/tasks`)
    assert.deepEqual(((await answer.json()) as { tasks: unknown[] }).tasks, [])
    npm.kill('SIGTERM')
    await exited
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  } finally {
    npm.kill('SIGKILL')
  }
})

test('what a packed workspace depends on is packed too', () => {
  const packed = withDependencies(['plugins/tasks'], workspaces())
  for (const workspace of ['sdk', 'plugins/tasks', 'plugins/trash', 'plugins/providers', 'plugins/outgoing', 'plugins/health'])
    assert.ok(packed.includes(workspace), `${workspace} is missing in ${packed.join(', ')}`)
  assert.ok(!packed.includes('plugins/dashboard'))
})
