import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GatewayProcess, warmGateway } from '../crash/gateway/spawn.ts'
import { contentsOf } from './contents.ts'
import { ask, raw } from './wire.ts'

/** A gateway in its own process, with a few records in it. */
export interface Running {
  readonly gateway: GatewayProcess
  readonly url: string
  contents(): Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function runGateway(env: Readonly<Record<string, string>> = {}, program?: string): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-abuse-'))
  const gateway = await warmGateway(program).start({ GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir, SYNTHETIC_CANARY_DISABLED: '1', ...env })
  const { url } = gateway
  for (const title of ['one', 'two', 'three']) await succeed(url, 'tasks_create', { repo: 'app', title })
  await succeed(url, 'mail_send', { to: 'app', subject: 'hello', body: 'there' })
  return {
    gateway,
    url,
    contents: () => contentsOf(dataDir),
    async stop() {
      await gateway.kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function succeed(url: string, tool: string, args: object): Promise<void> {
  const answer = await ask(url, raw('POST', `/api/tools/${tool}`, {}, JSON.stringify(args)))
  assert.equal(answer?.status, 200, JSON.stringify(answer))
}

/** Checks that it answers others normally. */
export async function assertServes(url: string): Promise<void> {
  await succeed(url, 'tasks_list', { repo: 'app' })
}
