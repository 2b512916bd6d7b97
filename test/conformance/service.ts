import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fromSources } from '../../scripts/typescript/options.mjs'
import { freePort } from '../support/ports.ts'

export interface Service {
  readonly url: string
  /** Sends SIGTERM; resolves with the exit, `code 0` after a clean stop. */
  stop(): Promise<string>
}

const STOP_MS = 30_000

/**
 * Starts it on a free loopback port, with a data folder and a log below `folder`. Roles are enforced: the suite sends no
 * credentials, and is admitted like any local caller.
 */
export async function startService(folder: string): Promise<Service> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const log = join(folder, 'gateway.log')
  // OAuth is on at a known address.
  const port = await freePort()
  const oauth = { GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`, GATEWAY_OAUTH_REGISTRATION: 'true' }
  const child = spawn(process.execPath, [...fromSources, join(import.meta.dirname, 'gateway.ts')], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, HOME: dataDir, GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: String(port), RBAC_ENFORCE: 'on', ...oauth },
    stdio: ['ignore', 'pipe', openSync(log, 'w')],
  })
  const exited = once(child, 'exit').then(([code, signal]) => (signal === null ? `code ${code}` : `signal ${signal}`))
  const announced = once(createInterface(child.stdout as Readable), 'line')
  const first = await Promise.race([announced, exited])
  if (typeof first === 'string') throw new Error(`the gateway did not start (${first}); its log is ${log}`)
  return {
    url: (JSON.parse(first[0]) as { url: string }).url,
    async stop() {
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      const how = await exited
      clearTimeout(limit)
      return how
    },
  }
}
