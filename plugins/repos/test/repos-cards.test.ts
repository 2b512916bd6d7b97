import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { holdsCredentials } from '../src/rules/db-label.ts'
import { ACME, names, start } from './support.ts'

test('only the fields that are given are written; an empty text takes its field away', async () => {
  await using set = await start()
  const upsert = (args: object) => set.gateway.call('repos_card_upsert', { repoName: 'web', ...args })
  const first = await upsert({ description: 'Shop', appUrl: 'https://shop.example', commitsAhead: 2, lastStatusLevel: 'ok' })
  assert.equal(first.created, true)
  set.gateway.clock.advance(60)
  const second = await upsert({ commitsAhead: 0, lastStatus: 'deployed' })
  const { updatedAt, ...card } = second.card
  assert.deepEqual([second.created, updatedAt > first.card.updatedAt], [false, true])
  assert.deepEqual(card, {
    repoName: 'web',
    description: 'Shop',
    appUrl: 'https://shop.example',
    commitsAhead: 0,
    lastStatus: 'deployed',
    lastStatusLevel: 'ok',
    createdAt: first.card.createdAt,
  })
  assert.equal('description' in (await upsert({ description: '' })).card, false)
})

test('the REST route writes the same card', async () => {
  await using set = await start()
  const answer = await set.gateway.inject({ method: 'PUT', url: '/api/repos/cards/web', body: { group: 'apps' } })
  assert.deepEqual([answer.status, answer.json().card.group], [200, 'apps'])
  assert.equal((await set.gateway.inject({ method: 'GET', url: '/api/repos/cards' })).json().count, 1)
})

test('a connection string with credentials is no dbLabel, and what is refused changes nothing', async () => {
  await using set = await start()
  for (const dbLabel of ['postgres://eve:s3cret@db/orders', 'Server=db;User Id=sa;Password=x1y2;', 'mongodb+srv://eve@cluster'])
    await assert.rejects(set.gateway.call('repos_card_upsert', { repoName: 'web', dbLabel }), names('dbLabel'))
  assert.equal((await set.gateway.call('repos_card_list')).count, 0)
  for (const label of ['orders, PostgreSQL 17', 'postgres://db/orders', 'token store (Redis)']) assert.equal(holdsCredentials(label), false)
})

test('a bad argument is refused by its name', async () => {
  await using set = await start()
  const refused = (field: string, value: unknown) =>
    assert.rejects(set.gateway.call('repos_card_upsert', { repoName: 'web', [field]: value }), names(field))
  await refused('lastStatusLevel', 'fine')
  await refused('appUrl', 'javascript:alert(1)')
  await refused('deployUrl', 'https://eve:s3cret@deploy.example')
  await refused('commitsAhead', -1)
  await refused('repoName', '../up')
  assert.equal((await set.gateway.call('repos_card_list')).count, 0)
})

test('every tracked repo has a card in the list, a bare one if nobody wrote any', async () => {
  await using set = await start()
  await writeFile(set.file, JSON.stringify([{ name: 'managed', path: join(set.folder, 'managed'), group: 'apps' }]))
  await set.gateway.call('repos_upsert', { name: 'listed' })
  await set.gateway.call('repos_card_upsert', { repoName: 'listed', description: 'A card.' })
  await set.gateway.call('repos_card_upsert', { repoName: 'future' })
  const { cards, count } = await set.gateway.call('repos_card_list')
  assert.equal(count, 3)
  assert.deepEqual(
    cards.map(({ repoName, tracked }: { repoName: string; tracked: boolean }) => [repoName, tracked]),
    [
      ['future', false],
      ['listed', true],
      ['managed', true],
    ],
  )
  assert.deepEqual(cards[2], { repoName: 'managed', lastStatusLevel: 'unknown', group: 'apps', tracked: true })
})

test('a group that somebody wrote into the list of managed repos by hand stands in the card as it is; over the tools it is plain text', async () => {
  await using set = await start()
  const group = `\u001b[31m${'long '.repeat(50)}`
  await writeFile(set.file, JSON.stringify([{ name: 'managed', path: set.folder, group }]))
  assert.equal((await set.gateway.call('repos_card_list')).cards[0].group, group)
  for (const [field, value] of [
    ['group', '\u001b[31m'],
    ['brainNamespace', 'a\u0000'],
    ['group', ' \n'],
  ] as const)
    await assert.rejects(set.gateway.call('repos_upsert', { name: 'listed', [field]: value }), names(field))
})

test('cards are each tenant’s own, and managed repos no other’s', async () => {
  await using set = await start()
  await writeFile(set.file, JSON.stringify([{ name: 'managed', path: set.folder }]))
  await set.gateway.call('repos_card_upsert', { repoName: 'web' })
  assert.equal((await set.gateway.call('repos_card_list', {}, ACME)).count, 0)
})
