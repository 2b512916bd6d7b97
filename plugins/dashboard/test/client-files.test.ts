import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { definePlugin, definePublicFiles } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { ensureClient } from '../../../scripts/dashboard.mjs'
import dashboard from '../src/index.ts'
import { clientFiles } from '../src/operations/client-files.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let gateway: TestGateway
let url: string
before(async () => {
  await ensureClient()
  gateway = await startTestGateway({ plugins: [dashboard], listen: true, env: { GATEWAY_LOCAL_TOKEN: 'the-local-token-of-the-tests' } })
  url = gateway.url
})
after(() => gateway.stop())

/** Uses a real connection, whose encodings are left unchanged. */
const get = (path: string, headers: Record<string, string> = {}) => gateway.inject({ method: 'GET', url: path, headers })
const assetsOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/dashboard-assets\/[^"]+)"/g)].map(([, path]) => path as string)

test('a browser gets the shell at / and at every address of the dashboard, without a credential', async () => {
  for (const path of ['/', '/dashboard', '/dashboard/tasks', '/dashboard/tasks/task-1?status=done']) {
    const answer = await get(path, BROWSER)
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/html; charset=utf-8'], path)
    assert.match(answer.body, /<div id="root"><\/div>/)
  }
})

test('a program gets the record that / always answered with', async () => {
  for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }] as Record<string, string>[]) {
    const answer = await get('/', headers)
    assert.deepEqual([answer.status, answer.json().code], [404, 'NOT_FOUND'])
  }
  assert.equal(
    (await gateway.inject({ method: 'POST', url: '/', headers: { authorization: 'Bearer the-local-token-of-the-tests' } })).status,
    404,
  )
})

test('the shell lets nothing run but its own files, and no text become markup', async () => {
  const { headers, body } = await get('/', BROWSER)
  const policy = String(headers['content-security-policy'])
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(part), part)
  assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/)
  assert.doesNotMatch(body, /<style| style=| on\w+=|<script(?![^>]* src=)/)
  assert.doesNotMatch(body, /https?:\/\//)
  assert.equal(headers['cache-control'], 'no-cache')
})

test('assets are kept for a year, in the encoding that was asked for', async () => {
  const { body: html } = await get('/', BROWSER)
  const assets = assetsOf(html)
  assert.ok(assets.some((path) => path.endsWith('.css')) && assets.some((path) => path.endsWith('.js')))
  for (const path of assets) {
    const whole = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    assert.equal(whole.headers.get('content-encoding'), null)
    assert.equal(whole.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    const text = await whole.text()
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { body, encoded } = await raw(path, encoding)
      assert.equal(encoded, encoding)
      assert.equal(decode(body).toString(), text)
    }
    assert.equal((await raw(path, 'br;q=0, gzip;q=0')).encoded, undefined)
    assert.equal((await raw(path, 'gzip, br;q=0')).encoded, 'gzip')
  }
})

async function raw(path: string, accepted: string): Promise<{ body: Buffer; encoded: string | undefined }> {
  const { get: request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request(url + path, { headers: { 'accept-encoding': accepted } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ body: Buffer.concat(chunks), encoded: response.headers['content-encoding'] }))
    }).on('error', reject)
  })
}

test('the description of the pages is packed for a client that takes it, and the same', async () => {
  const ask = (encoding: string) =>
    fetch(`${url}/api/dashboard/pages`, {
      headers: { authorization: 'Bearer the-local-token-of-the-tests', 'accept-encoding': encoding },
    })
  const [packed, again, whole, refused] = await Promise.all([ask('gzip'), ask('br, gzip'), ask('identity'), ask('gzip;q=0')])
  assert.deepEqual(
    [packed, again, whole, refused].map(({ headers }) => headers.get('content-encoding')),
    ['gzip', 'gzip', null, null],
  )
  const texts = await Promise.all([packed, again, whole, refused].map((answer) => answer.text()))
  assert.equal(new Set(texts).size, 1)
  assert.ok('pages' in JSON.parse(texts[0] as string))
})

test('no path leads out of the folder of the assets', async () => {
  for (const name of [
    'index.html',
    'sources',
    '../index.js',
    '..%2findex.js',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    'app.js%00',
    'no-such.js',
    '',
  ])
    assert.equal((await get(`/dashboard-assets/${name}`)).status, 404, name)
})

test('a foreign Host is refused before any file', async () => {
  assert.equal((await get('/', { ...BROWSER, host: 'rebound.example' })).status, 403)
})

test('without a build the page says what to run', async () => {
  const [shell, assets] = clientFiles(new URL('./no-such-folder/', import.meta.url))
  assert.match(String((await shell?.open('/'))?.body), /npm run build/)
  assert.equal(await assets?.open('/dashboard-assets/app-1.js'), undefined)
})

test('two plugins that want one path are told at the start', async () => {
  const other = definePlugin({
    id: 'other',
    sdk: '^1.0.0',
    description: 'Takes the same path.',
    publicFiles: [definePublicFiles({ id: 'other.pages', paths: ['/'], open: async () => undefined })],
  })
  await assert.rejects(startTestGateway({ plugins: [dashboard, other] }), /GET \/ is taken by plugin 'dashboard'/)
})
