import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { chromium } from 'playwright-core'
import { freePort } from '../support/ports.ts'
import { needing, program } from '../support/programs.ts'
import { type ForeignClient, onNode, onPython } from './elsewhere.ts'

const clients: readonly (readonly [name: string, client: () => ForeignClient, mode?: string])[] = [
  ['a client behind mcp-remote', () => onNode('oauth-remote.mjs')],
  ['the official Python client of the handshake protocol', () => onPython('oauth_client.py', 'session-1'), 'session'],
  ['the official Python client of version 2, with the handshake protocol', () => onPython('oauth_client.py', 'session-2'), 'legacy'],
  ['the official Python client of version 2, with the stateless protocol', () => onPython('oauth_client.py', 'session-2'), '2026-07-28'],
]

for (const [name, client, mode] of clients) {
  const named = needing('chromium', `${name} connects with the address alone, after a person consents in a browser`)
  test(named.name, { skip: named.skip, timeout: 600_000 }, async (t) => {
    const found = client()
    if ('missing' in found) return t.skip(found.missing)
    const port = await freePort()
    const env = {
      GATEWAY_PORT: String(port),
      GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      GATEWAY_OAUTH_REGISTRATION: 'true',
      GATEWAY_LOOPBACK_TRUST: '0',
    }
    await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true, env })
    await gateway.tenants.create({ name: 'acme', plan: 'team', tenantId: 'acme' })
    const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })
    const folder = await mkdtemp(join(tmpdir(), 'gateway-oauth-client-'))
    // The Python client leaves the callback to its host.
    const site = createServer((_request, response) => void response.end('Done.'))
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    const redirect = `http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`
    const browser = await chromium.launch({ executablePath: program('chromium') as string, args: ['--no-sandbox'] })
    const [command = '', ...args] = found.command
    const more = mode === undefined ? [folder] : [redirect, mode]
    const agent = spawn(command, [...args, `${gateway.url}/mcp`, ...more], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: join(import.meta.dirname, 'elsewhere'),
    })
    const exited = once(agent, 'exit')
    try {
      const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]()
      const next = async () => JSON.parse((await lines.next()).value ?? '{}')
      const page = await browser.newPage()
      await page.goto((await next()).page)
      await page.getByLabel('API key').fill(apiKey)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL((url) => url.searchParams.has('code'))
      agent.stdin.write(`${page.url()}\n`)
      assert.ok((await next()).tools > 0)
      await exited
    } finally {
      agent.kill()
      await browser.close()
      site.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
}
