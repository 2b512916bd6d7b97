import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

const program = join(import.meta.dirname, '..', '..', 'bin', 'gateway.js')

test('a gateway that the command started answers with what doctor finds beside it, once for all who ask at a time', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-doctor-'))
  const env = { PATH: process.env.PATH ?? '', HOME: dataDir, GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0', GATEWAY_EMBEDDINGS: 'off' }
  const service = spawn(process.execPath, [program, 'start', '--json'], {
    env,
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(service, 'exit')
  try {
    const [line] = (await once(createInterface(service.stdout), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const ask = async () => (await fetch(`${url}/api/doctor`)).json() as Promise<{ healthy: boolean; checks: Record<string, unknown>[] }>
    const [first, second] = await Promise.all([ask(), ask()])
    assert.deepEqual(first, second)
    const of = (check: string) => first.checks.find((found) => found.check === check)
    assert.equal(of('store')?.outcome, 'ok', JSON.stringify(first))
    assert.equal(first.healthy, true)
  } finally {
    service.kill('SIGTERM')
    await exited
    await rm(dataDir, { recursive: true, force: true })
  }
})
