import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needing } from '../support/programs.ts'
import { axeFaults, settled, startDashboard } from './support.ts'

const { name, skip } = needing('chromium', 'a form that changes a record begins with its values and sends those that were changed')
test(name, { skip, timeout: 120_000 }, async (t) => {
  await using dashboard = await startDashboard()
  const { gateway } = dashboard
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  const given = { cronExpr: '0 9 * * *', kind: 'tool', target: 'tasks_list', message: '{"limit":3}', deliverTo: 'ann' }
  const made: { readonly scheduleId: string }[] = []
  for (const title of ['Count', 'Sum']) made.push((await call('schedules_create', { ...given, name: title })).schedule)
  const stored = async () => {
    const { schedules } = await call('schedules_list', {})
    return made.map(({ scheduleId }) => schedules.find((one: { scheduleId: string }) => one.scheduleId === scheduleId))
  }
  const sent: unknown[] = []
  const page = await dashboard.open(`/dashboard/schedules/${made[0]?.scheduleId}`)
  page.on('request', (request) => {
    if (request.method() === 'PATCH' || request.url().endsWith('/schedules_update')) sent.push(request.postDataJSON())
  })
  await settled(page)
  const dialog = page.getByRole('dialog')

  await t.test('the page of a schedule shows its message, and an emptied field is removed', async () => {
    await page.getByText('{"limit":3}').waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    assert.equal(await dialog.getByRole('textbox', { name: 'Message' }).inputValue(), '{"limit":3}')
    assert.deepEqual(await axeFaults(page), [])
    await dialog.locator('[name=name]').fill('Count them')
    await dialog.getByLabel('Deliver to').fill('')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await page.getByText('Change: done').waitFor()
    const [{ name, message, deliverTo, cronExpr }] = await stored()
    assert.deepEqual([name, message, deliverTo, cronExpr], ['Count them', given.message, undefined, given.cronExpr])
    const { scheduleId: _scheduleId, ...changed } = sent.at(-1) as Record<string, unknown>
    assert.deepEqual(changed, { name: 'Count them', clear: ['deliverTo'] })
  })

  await t.test('a field that cannot be empty is refused by the form', async () => {
    const before = sent.length
    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.locator('[name=name]').fill('')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await dialog.getByText('Name must not be empty.').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(sent.length, before)
  })

  await t.test('a change of several leaves what is not given to each of them', async () => {
    await page.goto(`${gateway.url}/dashboard/schedules`)
    await settled(page)
    for (const title of ['Count them', 'Sum']) await page.getByRole('checkbox', { name: title }).check()
    await page
      .getByRole('group', { name: 'Selected' })
      .getByRole('button', { name: /^Change/ })
      .click()
    assert.equal(await dialog.locator('[name=name]').inputValue(), '')
    await dialog.getByLabel('Cron expr').fill('0 10 * * *')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('dialog', { name: 'Change: 2 done, 0 refused' }).waitFor()
    assert.deepEqual(
      (await stored()).map(({ name, cronExpr, deliverTo }) => [name, cronExpr, deliverTo]),
      [
        ['Count them', '0 10 * * *', undefined],
        ['Sum', '0 10 * * *', 'ann'],
      ],
    )
  })
  dashboard.assertQuiet()
})

const asked = needing('chromium', 'a form asks for a time with a picker of times, and says what members an object has')
test(asked.name, { skip: asked.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard()
  const page = await dashboard.open('/dashboard/keys')
  await settled(page)
  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Expires at').fill('2099-12-31T12:30')
  await dialog.getByRole('button', { name: 'New key' }).click()
  await dialog.getByText(/gw_live_/).waitFor()
  await page.keyboard.press('Escape')
  const { keys } = await dashboard.gateway.call('keys.list', {})
  assert.match(keys[0].expiresAt, /^2099-12-3/)

  await page.goto(`${dashboard.gateway.url}/dashboard/swarms`)
  await settled(page)
  await page.getByRole('button', { name: 'Plan a swarm' }).first().click()
  const children = dialog.getByLabel('Children')
  assert.equal(await children.getAttribute('placeholder'), '[{"title":"…"}]')
  await dialog.getByText(/Members: title, description, .*dependsOnIndexes\./).waitFor()
  dashboard.assertQuiet()
})
