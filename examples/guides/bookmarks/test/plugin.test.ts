import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import bookmarks from '../src/index.ts'

const page = { url: 'https://example.org', title: 'Example' }

test('a bookmark is kept and listed', async () => {
  await using gateway = await startTestGateway({ plugins: [bookmarks] })
  await gateway.call('bookmark_save', page)
  assert.equal((await gateway.call('bookmark_list')).bookmarks[0].title, 'Example')
})

test('what is no address is refused, and so is one too many', async () => {
  await using gateway = await startTestGateway({ plugins: [bookmarks], config: { bookmarks: { most: 1 } } })
  await assert.rejects(gateway.call('bookmark_save', { ...page, url: 'example.org' }), { code: 'BAD_REQUEST' })
  await gateway.call('bookmark_save', page)
  await assert.rejects(gateway.call('bookmark_save', { ...page, url: 'https://example.com' }), { code: 'SHELF_FULL', status: 409 })
})
