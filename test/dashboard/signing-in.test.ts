import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { needing } from '../support/programs.ts'
import { axeFaults, type Dashboard, overflows, settled, startDashboard } from './support.ts'

const ADMIN = 'the-admin-token-of-the-tests'
/** Header of a proxy in front of the gateway for a remote caller. */
const FAR = { extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } }
const start = (): Promise<Dashboard> => startDashboard({ env: { ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: 'on' } })

async function keyOf({ gateway }: Dashboard, role: 'viewer' | 'owner', tenantId = 'acme'): Promise<string> {
  await gateway.tenants.create({ tenantId, name: tenantId, plan: 'team' }).catch(() => undefined)
  return (await gateway.tenants.issueKey(tenantId, { role, environment: 'live', label: `the ${role}` })).apiKey
}

const field = (page: Page) => page.getByLabel('API key, or the local token')
const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' })

async function signIn(page: Page, key: string): Promise<void> {
  await field(page).fill(key)
  await page.keyboard.press('Enter')
  await page.getByLabel('Your account').waitFor()
}

async function lift(page: Page, token = ADMIN): Promise<void> {
  await page.getByLabel('Operator’s token').fill(token)
  await page.getByRole('dialog').getByRole('button', { name: 'Lift', exact: true }).click()
}

const session = needing(
  'chromium',
  'a key is sent once, for a session, and kept nowhere; when the session ends, signing in leads back to the same page',
)
test(session.name, { skip: session.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const key = await keyOf(dashboard, 'owner')
  const page = await dashboard.open('/dashboard/tasks?repo=org%2Fapi', FAR)
  await field(page).fill('gw_live_wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  assert.deepEqual(await axeFaults(page), [])
  await field(page).fill('no key at all')
  await page.keyboard.press('Enter')
  await page.getByText('It has a space').waitFor()

  const sent: string[] = []
  page.on('request', (request) => {
    const { authorization, 'x-api-key': apiKey } = request.headers()
    if (`${request.url()} ${request.postData()} ${authorization} ${apiKey}`.includes(key)) sent.push(new URL(request.url()).pathname)
  })
  await signIn(page, key)
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
  await settled(page)
  assert.match(page.url(), /\/dashboard\/tasks\?repo=org%2Fapi$/)
  assert.deepEqual(sent, ['/api/sign-in'])
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
  await page.locator('.who', { hasText: 'the owner' }).getByText('owner', { exact: true }).waitFor()

  dashboard.gateway.clock.advance(12 * 3_600)
  await page.locator('section.panel > header summary').first().click()
  await page.getByRole('button', { name: 'Reload' }).first().click()
  await page.getByText('Your session has ended').waitFor()
  await signIn(page, key)
  assert.match(page.url(), /\/dashboard\/tasks\?repo=org%2Fapi$/)

  await page.getByLabel('Your account').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await field(page).waitFor()
  assert.deepEqual(await page.context().cookies(), [])
  dashboard.assertQuiet()
})

const code = needing('chromium', 'a link with a code signs a browser in, once, and does not stay in the address')
test(code.name, { skip: code.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const made = async (): Promise<string> => (await dashboard.gateway.inject({ method: 'POST', url: '/api/sign-in/codes' })).json().path
  const path = await made()
  const page = await dashboard.open(path, FAR)
  await overview(page).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  assert.ok(!(await page.evaluate<string>('JSON.stringify(history.state) + location.href')).includes('code'))

  const late = await dashboard.open(path, FAR)
  await late.getByText('This link was used already').waitFor()
  assert.equal(new URL(late.url()).hash, '')
  // In an open tab only the fragment of the address changes.
  await late.evaluate(`location.hash = ${JSON.stringify((await made()).replace(/^.*#/, '#'))}`)
  await overview(late).waitFor()
  assert.equal(new URL(late.url()).hash, '')
  dashboard.assertQuiet()
})

const browsers = needing('chromium', 'who is signed in sees the own browsers and ends them; what one tab becomes, the others become')
test(browsers.name, { skip: browsers.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const key = await keyOf(dashboard, 'viewer')
  const other = await dashboard.open('/', FAR)
  await signIn(other, key)
  const tab = await dashboard.tabs(FAR)
  const page = await tab('/dashboard/browsers')
  const second = await tab('/')
  await field(second).waitFor()
  await signIn(page, key)
  await overview(second).waitFor()
  await settled(page)
  const rows = page.locator('tbody tr')
  assert.equal(await rows.count(), 2)
  await page.getByRole('button', { name: /^End/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await page.mouse.move(0, 0)
  await rows.nth(1).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('button', { name: /^End/ }).count(), 0, 'the own one is ended by signing out')
  await other.goto(`${dashboard.gateway.url}/dashboard/tasks`)
  await field(other).waitFor()

  await page.getByLabel('Your account').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await field(page).waitFor()
  await field(second).waitFor()
  dashboard.assertQuiet()
})

const lifted = needing(
  'chromium',
  'what is the operator’s alone says so, and is there once the browser is lifted, until that is given back or over',
)
test(lifted.name, { skip: lifted.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const page = await dashboard.open('/dashboard/gallery-guarded')
  await settled(page)
  const ledger = page.getByRole('region', { name: 'Ledger' })
  const secret = ledger.getByText('Only the operator reads this.')
  await ledger.getByText('Needs the operator’s token').waitFor()
  await ledger.getByRole('button', { name: 'Lift …' }).click()
  await lift(page, 'a-wrong-token-of-the-tests')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  assert.deepEqual(await axeFaults(page), [])
  await lift(page)
  await secret.waitFor()
  await page.getByText('Operator’s rights: 15 min').waitFor()
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
  assert.ok(!(await page.content()).includes(ADMIN))

  const address = '**/api/sign-in/lift'
  await page.route(address, (route) => route.abort())
  await page.getByRole('button', { name: 'Give back' }).click()
  await page.locator('.toast.bad', { hasText: 'Give back: failed' }).waitFor()
  await page.unroute(address)
  await page.getByRole('button', { name: 'Give back' }).click()
  await ledger.getByText('Needs the operator’s token').waitFor()
  assert.equal(await secret.count(), 0)

  await page.getByRole('button', { name: 'Close the ledger' }).click()
  await lift(page)
  await page.getByText('Operator’s rights: 15 min').waitFor()
  await page.getByRole('button', { name: 'Close the ledger' }).click()
  await page.getByText('Close the ledger: done').waitFor()

  dashboard.gateway.clock.advance(15 * 60)
  await page.getByLabel('Ledger: more').click()
  await ledger.getByRole('button', { name: 'Reload' }).click()
  await ledger.getByText('Needs the operator’s token').waitFor()
  dashboard.assertQuiet()
})

const looking = needing(
  'chromium',
  'the operator looks at a tenant from the list of them, as a viewer unless said, under a banner, and comes back; a look that is over is refused',
)
test(looking.name, { skip: looking.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  await keyOf(dashboard, 'owner')
  await dashboard.gateway.call('tasks_create', { repo: 'org/api', title: 'Mend the gate' }, { as: { tenantId: 'acme', role: 'owner' } })
  const page = await dashboard.open('/dashboard/tenants')
  await settled(page)
  await page.getByRole('button', { name: 'Lift …' }).click()
  await lift(page)
  const row = page.locator('tbody tr', { hasText: 'acme' })
  await row.getByLabel(/View tenant/).click()
  const dialog = page.getByRole('dialog', { name: 'View tenant' })
  assert.equal(await dialog.getByLabel('Role').inputValue(), 'viewer')
  await dialog.getByRole('button', { name: 'View tenant' }).click()
  const banner = page.getByRole('complementary', { name: 'Looking at a tenant' })
  await banner.getByText('You look at acme as viewer').waitFor()
  assert.deepEqual(await axeFaults(page), [])
  await page.goto(`${dashboard.gateway.url}/dashboard/tasks`)
  await page.getByText('Mend the gate').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'New task' }).count(), 0)
  await banner.getByRole('button', { name: 'Leave' }).click()
  await overview(page).waitFor()
  await page.locator('.who', { hasText: 'operator' }).waitFor()
  assert.equal(await banner.count(), 0)

  await page.goto(`${dashboard.gateway.url}/dashboard/tenants`)
  await row.getByLabel(/View tenant/).click()
  await dialog.getByLabel('Role').selectOption('owner')
  await dialog.getByRole('button', { name: 'View tenant' }).click()
  await banner.getByText('You look at acme as owner').waitFor()
  await page.goto(`${dashboard.gateway.url}/dashboard/tasks`)
  await settled(page)
  dashboard.gateway.clock.advance(3_600)
  await page.getByRole('button', { name: 'New task' }).click()
  await page.getByRole('dialog').getByLabel('Repo').fill('org/api')
  await page.getByRole('dialog').getByLabel('Title').fill('Of nobody')
  await page.keyboard.press('Enter')
  await page.getByText('Your session has ended').waitFor()
  assert.equal((await dashboard.gateway.call('tasks_list', { repo: 'org/api' })).tasks.length, 0, 'it is no task of the operator’s own')
  await page.getByRole('button', { name: 'Go on as operator of local' }).click()
  await page.locator('.who', { hasText: 'operator' }).waitFor()
  dashboard.assertQuiet()
})

const viewer = needing('chromium', 'a viewer is shown no action that is not theirs, and of a panel that needs more, the role that has it')
test(viewer.name, { skip: viewer.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const page = await dashboard.open('/dashboard/gallery-few', FAR)
  await signIn(page, await keyOf(dashboard, 'viewer'))
  await settled(page)
  await page.getByText('Row 0').first().waitFor()
  for (const name of ['New in few', 'Finish', 'Remove', 'Edit', 'Move', 'Change'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  assert.equal(await page.getByRole('region', { name: 'Form' }).count(), 0)
  assert.equal(await page.locator('[draggable=true]').count(), 0)

  await page.goto(`${dashboard.gateway.url}/dashboard/gallery-paged`)
  await settled(page)
  const secrets = page.getByRole('region', { name: 'Secrets' })
  await secrets.getByText('Not with the role viewer').waitFor()
  await secrets.getByText('which the role admin has; the caller is viewer').waitFor()
  assert.equal(await secrets.getByRole('button', { name: 'Try again' }).count(), 0)

  await page.goto(`${dashboard.gateway.url}/dashboard/gallery-guarded`)
  await settled(page)
  assert.equal(
    await page.getByRole('region', { name: 'Ledger' }).count(),
    0,
    'what takes the operator’s token is shown to the operator alone',
  )
  await page.setViewportSize({ width: 320, height: 800 })
  assert.equal(await overflows(page), false)
  dashboard.assertQuiet()
})

const typed = needing('chromium', 'where there is no way back, the name must be typed before anything goes')
test(typed.name, { skip: typed.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const page = await dashboard.open('/dashboard/gallery-guarded')
  await settled(page)
  const rows = page.getByRole('region', { name: 'Rows', exact: true })
  await rows.getByLabel('Wipe: Row 3').click()
  const dialog = page.getByRole('dialog', { name: 'Wipe' })
  await dialog.getByText('There is no way back.').waitFor()
  const wipe = dialog.getByRole('button', { name: 'Wipe' })
  await dialog.getByLabel('Type the name to continue').fill('Row 2')
  await wipe.click()
  await dialog.getByRole('alert').getByText('Type “Row 3” to continue.').waitFor()
  assert.equal(await rows.getByText('Row 3').count(), 1)
  await dialog.getByLabel('Type the name to continue').fill('Row 3')
  await wipe.click()
  await dialog.waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  await rows.getByText('Row 3').waitFor({ state: 'detached' })

  for (const name of ['Select Row 1', 'Select Row 2']) await rows.getByLabel(name).check()
  await rows.getByRole('button', { name: 'Wipe', exact: true }).click()
  const several = page.getByRole('dialog', { name: 'Wipe: 2 selected' })
  await several.getByLabel('Type how many they are to continue').fill('3')
  await several.getByRole('button', { name: 'Wipe' }).click()
  await several.getByRole('alert').getByText('Type “2” to continue.').waitFor()
  assert.equal(await rows.getByText('Row 1').count(), 1)
  await several.getByLabel('Type how many they are to continue').fill('2')
  await several.getByRole('button', { name: 'Wipe' }).click()
  await page.getByRole('dialog', { name: 'Wipe: 2 done, 0 refused' }).waitFor()
  dashboard.assertQuiet()
})

const bound = needing('chromium', 'on the gateway’s own machine no tab becomes the operator by itself when its session or its tenant ends')
test(bound.name, { skip: bound.skip, timeout: 120_000 }, async () => {
  await using dashboard = await start()
  const { gateway } = dashboard
  const reload = async (page: Page): Promise<void> => {
    await page.locator('section.panel > header summary').first().click()
    await page.getByRole('button', { name: 'Reload' }).first().click()
  }
  const begun = async () => {
    const tab = await dashboard.tabs()
    const page = await tab('/dashboard/tasks')
    await settled(page)
    await page.getByLabel('Your account').click()
    await page.getByRole('button', { name: 'Sign in as somebody else …' }).click()
    await signIn(page, await keyOf(dashboard, 'owner'))
    const second = await tab('/dashboard/tasks')
    await settled(second)
    return [page, second] as const
  }

  const [first, other] = await begun()
  gateway.clock.advance(12 * 3_600)
  await reload(first)
  await first.getByText('Your session has ended').waitFor()
  // The refusal has removed the cookie that the tabs share.
  await other.getByRole('button', { name: 'New task' }).first().click()
  await other.getByRole('dialog').getByLabel('Repo').fill('org/api')
  await other.getByRole('dialog').getByLabel('Title').fill('Of acme')
  await other.getByRole('dialog').getByRole('button', { name: 'New task' }).click()
  await other.getByText('This browser is no longer signed in as the caller of this page.').waitFor()
  assert.deepEqual((await gateway.call('tasks_list', {})).tasks, [])

  const [suspended] = await begun()
  await gateway.tenants.suspend('acme')
  await suspended.getByText('Tenant acme is suspended.').waitFor()
  await suspended.reload()
  await suspended.getByText('Tenant acme is suspended.').waitFor()
  await gateway.tenants.reactivate('acme')
  await suspended.reload()
  await suspended.locator('.who', { hasText: 'the owner' }).waitFor()
  dashboard.assertQuiet()
})
