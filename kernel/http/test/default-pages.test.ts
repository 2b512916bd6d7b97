import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, definePublicFiles, type Plugin } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

function viewer(paths: readonly string[], replacesDefault: boolean, id = 'viewer'): Plugin {
  const file = { type: 'text/plain; charset=utf-8', body: Buffer.from(`the viewer ${id}`), immutable: false }
  const publicFiles = [definePublicFiles({ id: `${id}.pages`, paths, replacesDefault, open: async () => file })]
  return definePlugin({ id, sdk: '^1.0.0', description: 'Shows the API.', publicFiles })
}
const starting = (...plugins: Plugin[]) => startTestGateway({ plugins, listen: true })

test('a plugin that declares it replaces the reference of the API, which stays at its plain address', async () => {
  await using gateway = await starting(viewer(['/api/docs'], true))
  const get = async (url: string) => (await gateway.inject({ method: 'GET', url })).body
  assert.equal(await get('/api/docs'), 'the viewer viewer')
  assert.match(await get('/api/docs/plain'), /<title>/)
})

test('the replaced page needs no credential, as the page of the gateway needs none', async () => {
  for (const plugins of [[], [viewer(['/api/docs'], true)]]) {
    await using gateway = await startTestGateway({ plugins, env: { GATEWAY_LOOPBACK_TRUST: '0' } })
    for (const url of ['/api/docs', '/api/docs/plain', '/api/openapi.json'])
      assert.equal((await gateway.inject({ method: 'GET', url })).status, 200, url)
    assert.equal((await gateway.inject({ method: 'GET', url: '/api/tools' })).status, 401)
  }
})

test('a page is never replaced by accident: the start names the property', async () => {
  await assert.rejects(starting(viewer(['/api/docs'], false)), /viewer.*the gateway serves a page at \/api\/docs; set replacesDefault/s)
})

test('a page that cannot be replaced is refused at the start, with those that can', async () => {
  for (const path of ['/api/tools', '/elsewhere'])
    await assert.rejects(
      starting(viewer([path], true)),
      new RegExp(`viewer.pages replaces no page of the gateway at ${path}; .*: /api/docs`),
    )
})

test('two plugins that replace the same page are told at the start', async () => {
  await assert.rejects(starting(viewer(['/api/docs'], true), viewer(['/api/docs'], true, 'other')), /GET \/api\/docs is taken by plugin/)
})
