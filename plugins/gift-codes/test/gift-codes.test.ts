import assert from 'node:assert/strict'
import { test } from 'node:test'
import { as, mint, planOf, redeem, start } from './support.ts'

const everything = async (gateway: Awaited<ReturnType<typeof start>>, ...tenantIds: string[]) =>
  JSON.stringify([...(await Promise.all(tenantIds.map((id) => gateway.documents(id)))), await gateway.audit(), gateway.logs])

test('a code is shown once: neither store, list, audit nor log holds it', async () => {
  await using gateway = await start('acme')
  const { code, giftCode } = await gateway.call('gift-codes.mint', { plan: 'team', note: 'for Ada' })
  assert.match(code, /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/)
  assert.deepEqual((await gateway.call('gift-codes.list')).giftCodes, [giftCode])
  await redeem(gateway, code)
  const [listed] = (await gateway.call('gift-codes.list')).giftCodes
  assert.deepEqual([listed.redeemedBy, listed.note, listed.plan], ['acme', 'for Ada', 'team'])
  const held = await everything(gateway, 'acme', 'local')
  for (const secret of [code, code.replaceAll('-', '')]) assert.ok(!held.includes(secret))
})

test('redeemed, it raises the plan, over a restart; however it is typed', async () => {
  await using gateway = await start('acme')
  const code = await mint(gateway)
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
  assert.equal((await redeem(gateway, typed)).plan, 'team')
  await gateway.restart()
  assert.equal(await planOf(gateway), 'team')
  const status = await gateway.call('gift-codes.license-status', {}, as('acme'))
  assert.deepEqual(
    [status.license, status.keyRequired, status.plan, status.status, status.gift.plan],
    ['MIT', false, 'team', 'active', 'team'],
  )
})

test('of twenty who redeem one code exactly one has it, in one tenant or in twenty', async () => {
  const tenants = Array.from({ length: 20 }, (_, at) => `t-${at}`)
  await using gateway = await start(...tenants, 'acme')
  const race = async (who: readonly string[]) => {
    const code = await mint(gateway)
    const results = await Promise.allSettled(who.map((tenantId) => redeem(gateway, code, tenantId)))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    assert.deepEqual([refused.length, new Set(refused)], [19, new Set(['CONFLICT'])])
  }
  await race(tenants)
  const plans = await Promise.all(tenants.map((tenantId) => planOf(gateway, tenantId)))
  assert.equal(plans.filter((plan) => plan === 'team').length, 1)
  await race(Array.from({ length: 20 }, () => 'acme'))
})

test('a code that is unknown, used or past its day is refused, and changes nothing', async () => {
  await using gateway = await start('acme', 'other')
  await assert.rejects(redeem(gateway, 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE'), { code: 'NOT_FOUND' })
  const code = await mint(gateway)
  await redeem(gateway, code)
  for (const tenantId of ['acme', 'other']) await assert.rejects(redeem(gateway, code, tenantId), { code: 'CONFLICT' })
  const late = await mint(gateway, { expiresInDays: 1 })
  gateway.clock.advance(86_400)
  await assert.rejects(redeem(gateway, late, 'other'), { code: 'CONFLICT' })
  assert.equal(await planOf(gateway, 'other'), 'free')
})

test('a code for no more than the tenant has is refused, and stays good', async () => {
  await using gateway = await start('acme', 'other')
  const code = await mint(gateway, { plan: 'solo' })
  await gateway.tenants.change('acme', { plan: 'scale' })
  await assert.rejects(redeem(gateway, code), { code: 'CONFLICT' })
  assert.equal(await planOf(gateway), 'scale')
  assert.equal((await redeem(gateway, code, 'other')).plan, 'solo')
  await assert.rejects(redeem(gateway, await mint(gateway), 'no-record'), { code: 'NOT_FOUND' })
})

test('only the operator mints and lists; redeeming takes the capability billing', async () => {
  await using gateway = await start('acme')
  for (const [name, args] of [
    ['gift-codes.mint', { plan: 'team' }],
    ['gift-codes.list', {}],
  ] as const) {
    await assert.rejects(gateway.call(name, args, as('acme')), { code: 'FORBIDDEN' }, name)
  }
  for (const args of [{}, { plan: 'gold' }, { plan: 'team', expiresInDays: 0 }]) {
    await assert.rejects(gateway.call('gift-codes.mint', args), { code: 'BAD_REQUEST' }, JSON.stringify(args))
  }
  assert.deepEqual((await gateway.call('gift-codes.list')).giftCodes, [])
})

test('the local tenant has a licence and no plan', async () => {
  await using gateway = await start()
  const status = await gateway.call('gift-codes.license-status')
  assert.deepEqual([status.tenantId, status.plan, status.status], ['local', undefined, 'active'])
})
