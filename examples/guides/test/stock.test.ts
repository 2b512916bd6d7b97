import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import stock from '../stock.ts'

test('of many who take at once, as many get something as there is', async () => {
  await using gateway = await startTestGateway({ plugins: [stock] })
  await gateway.call('stock_put', { name: 'a', hall: 'north', pieces: 3 })
  const taken = await Promise.allSettled(Array.from({ length: 10 }, () => gateway.call('stock_take', { name: 'a', pieces: 1 })))
  assert.equal(taken.filter(({ status }) => status === 'fulfilled').length, 3)
  await assert.rejects(gateway.call('stock_take', { name: 'a', pieces: 1 }), { code: 'CONFLICT' })
})

test('a move that cannot be finished moves nothing', async () => {
  await using gateway = await startTestGateway({ plugins: [stock] })
  await gateway.call('stock_put', { name: 'a', hall: 'north', pieces: 3 })
  await assert.rejects(gateway.call('stock_move', { from: 'a', to: 'nowhere', pieces: 2 }), { code: 'NOT_FOUND' })
  assert.equal((await gateway.call('stock_list', { hall: 'north' })).shelves[0].pieces, 3)
  await gateway.call('stock_put', { name: 'b', hall: 'north', pieces: 1 })
  await gateway.call('stock_move', { from: 'a', to: 'b', pieces: 2 })
  const { shelves } = await gateway.call('stock_list', { hall: 'north' })
  assert.deepEqual(
    shelves.map(({ name, pieces }: { name: string; pieces: number }) => [name, pieces]),
    [
      ['b', 3],
      ['a', 1],
    ],
  )
})

test('one tenant sees nothing of another; the operator sees all', async () => {
  await using gateway = await startTestGateway({ plugins: [stock] })
  const acme = { as: { tenantId: 'acme', kind: 'api-key', role: 'member' } } as const
  await gateway.call('stock_put', { name: 'a', hall: 'north', pieces: 3 }, acme)
  assert.deepEqual(await gateway.call('stock_list', { hall: 'north' }), { shelves: [] })
  assert.deepEqual((await gateway.call('stock_total', {}, acme)).tenants, [{ tenantId: 'acme', shelves: 1 }])
  assert.equal((await gateway.call('stock_total')).tenants.length, 2)
})
