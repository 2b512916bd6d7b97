import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin, Principal } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import { boot } from '../../../defaults/src/boot.ts'
import type { BootedGateway } from '../../src/boot/boot.ts'

/** A booted gateway as its transports see it, for members that no transport of the test harness reaches. */
export async function booted(plugins: readonly Plugin[]): Promise<BootedGateway & AsyncDisposable> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'))
  const env = { GATEWAY_DATA_DIR: dataDir }
  const settings = loadSettings({ env, cwd: dataDir })
  const gateway = await boot({ plugins, settings, log: pino({ level: 'silent' }), env, checkOutputs: true })
  return Object.assign(gateway, {
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  })
}

const principal: Principal = { id: 'ada', kind: 'user', role: 'member', tenantId: 'acme' }

/** The caller that a transport passes with every call. */
export const caller = { principal, via: 'mcp', requestId: 'request-1' } as const
