import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import * as modern from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { chromium } from 'playwright-core'
import { freePort } from '../support/ports.ts'
import { needing, program } from '../support/programs.ts'
import { ClientProvider } from './client-provider.ts'

const { name, skip } = needing(
  'chromium',
  'a person who comes from another site signs in, consents in a browser, and revokes the grant; refusing gives nothing',
)
test(name, { skip, timeout: 120_000 }, async () => {
  const port = await freePort()
  const env = {
    GATEWAY_PORT: String(port),
    GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    GATEWAY_OAUTH_REGISTRATION: 'true',
    GATEWAY_LOOPBACK_TRUST: '0',
  }
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true, env })
  await gateway.tenants.create({ name: 'acme', plan: 'team', tenantId: 'acme' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live', label: 'Ada' })

  // The client's own site: it links to the gateway, and receives the result.
  const answers: URLSearchParams[] = []
  const site = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/callback') answers.push(url.searchParams)
    response.setHeader('content-type', 'text/html').end(`<a id="go" href="${provider.authorization?.href.replaceAll('&', '&amp;')}">go</a>`)
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
  const provider = new ClientProvider(`${siteUrl}/callback`)
  const open = () => new modern.StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider: provider as never })
  const newClient = () => new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })

  const browser = await chromium.launch({ executablePath: program('chromium') as string, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const first = open()
    await assert.rejects(newClient().connect(first), /Unauthorized/i)
    await page.goto(siteUrl)
    await page.locator('#go').click()
    await page.getByLabel('API key').fill(apiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Official client').waitFor()
    assert.equal(await page.locator('#who').textContent(), 'Ada')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL(`${siteUrl}/callback**`)
    assert.equal(answers.at(-1)?.get('error'), 'access_denied')

    // A request that is refused leaves for the client by a click alone.
    const before = answers.length
    await page.goto(`${provider.authorization?.href.replace(/([?&]scope=)[^&]*/, '$1nothing')}`)
    await page.getByText('asked in a way that this gateway refuses: scope must name one of').waitFor()
    assert.match((await page.locator('#receiver').textContent()) ?? '', /^localhost:\d+, a program on this computer$/)
    assert.equal(answers.length, before)
    await page.getByRole('button', { name: 'Back to the client' }).click()
    await page.waitForURL(`${siteUrl}/callback**`)
    assert.equal(answers.at(-1)?.get('error'), 'invalid_scope')

    // The session is known from now on, though the browser comes from another site again.
    await page.goto(siteUrl)
    await page.locator('#go').click()
    await page.getByLabel('Work').uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${siteUrl}/callback**`)
    await first.finishAuth(answers.at(-1) as URLSearchParams)
    const client = newClient()
    await client.connect(open())
    assert.ok((await client.listTools()).tools.length > 0)
    await client.close()

    // The same person lets the client of version 1 in, which keeps its own registration.
    const first1 = new ClientProvider(`${siteUrl}/callback`)
    const open1 = () => new Transport1(new URL(`${gateway.url}/mcp`), { authProvider: first1 as never })
    const transport1 = open1()
    await assert.rejects(new Client1({ name: 'test', version: '1' }).connect(transport1 as never), /Unauthorized/)
    await page.goto(first1.authorization?.href ?? '')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${siteUrl}/callback**`)
    await transport1.finishAuth(answers.at(-1)?.get('code') as string)
    const client1 = new Client1({ name: 'test', version: '1' })
    await client1.connect(open1() as never)
    assert.ok((await client1.listTools()).tools.length > 0)
    await client1.close()

    await page.goto(`${gateway.url}/dashboard/oauth-grants`)
    await page.getByText('Official client').first().waitFor()
    await page.getByRole('button', { name: 'Revoke' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke' }).nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No clients yet').waitFor()
    await assert.rejects(new Client1({ name: 'test', version: '1' }).connect(open1() as never))
    await assert.rejects(newClient().connect(open()), /The refresh token is not valid/)
  } finally {
    await browser.close()
    site.close()
  }
})
