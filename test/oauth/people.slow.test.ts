import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, testClock } from '@gateway/testing'
import * as modern from '@modelcontextprotocol/client'
import { chromium } from 'playwright-core'
import { CLIENT_ID, CLIENT_SECRET, startIssuer } from '../../plugins/sign-in/test/issuer.ts'
import { ensureClient } from '../../scripts/dashboard.mjs'
import { axeFaults } from '../dashboard/support.ts'
import { freePort } from '../support/ports.ts'
import { needing, program } from '../support/programs.ts'
import { ClientProvider } from './client-provider.ts'

const { name, skip } = needing(
  'chromium',
  'a person accepts an invitation through an OpenID provider in a browser, connects a client from another browser without a key, and chooses between two tenants',
)
test(name, { skip, timeout: 180_000 }, async () => {
  await ensureClient()
  const clock = testClock()
  await using issuer = await startIssuer(() => clock.now())
  issuer.visit({ sub: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada' } })
  const port = await freePort()
  const env = {
    GATEWAY_PORT: String(port),
    GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    GATEWAY_OAUTH_REGISTRATION: 'true',
    GATEWAY_LOOPBACK_TRUST: '0',
  }
  const company = { name: 'Company', issuer: issuer.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  const config = { 'sign-in': { providers: { company } } }
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true, env, config, clock })
  for (const tenantId of ['acme', 'beta']) await gateway.tenants.create({ name: tenantId, plan: 'team', tenantId })
  const invited = await gateway.call(
    'sign-in.invite',
    { role: 'member', email: 'ada@example.com' },
    { as: { tenantId: 'acme', role: 'owner' } },
  )

  const answers: URLSearchParams[] = []
  const site = createServer((request, response) => {
    answers.push(new URL(request.url ?? '/', 'http://localhost').searchParams)
    response.end('Done.')
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const browser = await chromium.launch({ executablePath: program('chromium') as string, args: ['--no-sandbox'] })
  try {
    const first = await (await browser.newContext()).newPage()
    await first.goto(invited.url)
    await first.getByText('You are invited to acme as member').waitFor()
    assert.ok(!first.url().includes('invitation'), 'the secret leaves the address')
    await first.getByRole('button', { name: 'Accept with Company' }).click()
    await first.getByLabel('Your account').waitFor()
    await first.locator('.who', { hasText: 'ada@example.com' }).waitFor()

    const provider = new ClientProvider(`http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`)
    const open = () => new modern.StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider: provider as never })
    const newClient = () => new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const transport = open()
    await assert.rejects(newClient().connect(transport), /Unauthorized/i)
    const second = await (await browser.newContext()).newPage()
    await second.goto(provider.authorization?.href ?? '')
    await second.getByRole('button', { name: 'Sign in with Company' }).click()
    await second.getByText('Official client').waitFor()
    assert.equal(await second.locator('#tenants').isVisible(), false)
    assert.equal(await second.locator('#who').textContent(), 'ada@example.com')
    await second.getByRole('button', { name: 'Allow' }).click()
    await second.waitForURL('**/callback**')
    await transport.finishAuth(answers.find((one) => one.has('code')) as URLSearchParams)
    const client = newClient()
    await client.connect(open())
    assert.ok((await client.listTools()).tools.length > 0)
    await client.close()

    const further = await gateway.call('sign-in.invite', { role: 'viewer' }, { as: { tenantId: 'beta', role: 'owner' } })
    clock.advance(60)
    const third = await (await browser.newContext()).newPage()
    await third.goto(further.url)
    await third.getByRole('button', { name: 'Accept with Company' }).click()
    await third.locator('.who[title$="in beta"]').waitFor()
    clock.advance(60)
    const fourth = await (await browser.newContext()).newPage()
    await fourth.goto(`${gateway.url}/dashboard/tasks`)
    await fourth.getByRole('button', { name: 'Sign in with Company' }).click()
    const choice = fourth.getByRole('dialog', { name: 'Which tenant?' })
    await choice.getByRole('button', { name: 'Stay in beta, as viewer' }).waitFor()
    assert.deepEqual(await axeFaults(fourth), [])
    clock.advance(60)
    await choice.getByRole('button', { name: 'Go to acme, as member' }).click()
    await fourth.locator('.who[title$="in acme"]').waitFor()
    assert.equal(new URL(fourth.url()).pathname, '/dashboard/tasks')
    await fourth.getByLabel('Your account').click()
    await fourth.getByRole('button', { name: 'Switch the tenant …' }).click()
    await choice.getByRole('button', { name: 'Stay in acme, as member' }).click()
    await choice.waitFor({ state: 'detached' })

    await fourth.goto(provider.authorization?.href ?? '')
    await fourth.getByText('Official client').waitFor()
    assert.equal(await fourth.locator('#role').textContent(), 'member')
    clock.advance(60)
    await fourth.getByLabel('Tenant').selectOption('beta')
    await fourth.locator('#role', { hasText: 'viewer' }).waitFor()
  } finally {
    await browser.close()
    site.close()
  }
})
