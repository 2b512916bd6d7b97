import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { ensureClient } from '../../scripts/dashboard.mjs'

test('the reference without a script stays beside the viewer', async () => {
  await ensureClient()
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const plain = await gateway.inject({ method: 'GET', url: '/api/docs/plain' })
  assert.deepEqual([plain.status, plain.headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(plain.body, /tasks_create/)
  const viewer = await gateway.inject({ method: 'GET', url: '/api/docs', headers: { accept: 'text/html' } })
  assert.match(String(viewer.headers['content-security-policy']), /connect-src 'self'/)
  assert.doesNotMatch(viewer.body, /https?:\/\/|<script(?![^>]* src=)/)
})
