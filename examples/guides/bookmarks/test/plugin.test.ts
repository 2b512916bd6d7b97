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

test('an invalid URL and a bookmark beyond the maximum are refused', async () => {
  await using gateway = await startTestGateway({ plugins: [bookmarks], config: { bookmarks: { maxBookmarks: 1 } } })
  await assert.rejects(gateway.call('bookmark_save', { ...page, url: 'example.org' }), { code: 'BAD_REQUEST' })
  await gateway.call('bookmark_save', page)
  const another = { ...page, url: 'https://example.com' }
  await assert.rejects(gateway.call('bookmark_save', another), { code: 'TOO_MANY_BOOKMARKS', status: 409 })
})

test('a saved URL gets a new title, also at the maximum', async () => {
  await using gateway = await startTestGateway({ plugins: [bookmarks], config: { bookmarks: { maxBookmarks: 1 } } })
  await gateway.call('bookmark_save', page)
  await gateway.call('bookmark_save', { ...page, title: 'Better' })
  const { bookmarks: saved } = await gateway.call('bookmark_list')
  assert.deepEqual([saved.length, saved[0].title], [1, 'Better'])
})
