import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type InjectResponse, startTestGateway, type TestGateway } from '@gateway/testing'
import { transportFixture } from './transport-plugin.ts'

const transport = transportFixture()
let gateway: TestGateway
let page: InjectResponse
before(async () => {
  gateway = await startTestGateway({ plugins: [transport.plugin] })
  page = await gateway.inject({ method: 'GET', url: '/api/docs' })
})
after(() => gateway.stop())

test('it is one HTML page without a part from outside', () => {
  assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.doesNotMatch(page.body, /https?:\/\/|src=|@import|url\(/)
  for (const [, target] of page.body.matchAll(/href="([^"]*)"/g)) assert.match(target as string, /^[#/]/)
})

test('its policy allows its own style and script by hash and nothing else', () => {
  const policy = String(page.headers['content-security-policy'])
  const hashOf = (tag: string): string => {
    const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page.body)?.[1] as string
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  assert.ok(policy.includes("default-src 'none'") && policy.includes("frame-ancestors 'none'"))
  assert.ok(policy.includes(`style-src ${hashOf('style')}`) && policy.includes(`script-src ${hashOf('script')}`), policy)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  assert.doesNotMatch(page.body, / style=| on\w+=/)
  assert.deepEqual([page.headers['x-content-type-options'], page.headers['referrer-policy']], ['nosniff', 'no-referrer'])
})

test('it shows every operation once, with its arguments, and can be searched', () => {
  for (const tool of transport.plugin.tools)
    assert.equal(page.body.split(`<p class="facts">${tool.rest ? '' : 'tools/'}${tool.name} `).length, 2, tool.name)
  assert.match(page.body, /<td><code>reason<\/code><\/td><td>query<\/td>/)
  assert.match(page.body, /<td><code>text<\/code><\/td><td>body, required<\/td>/)
  assert.match(page.body, /FACE_TOO_MANY/)
  assert.match(page.body, /<input id="search"/)
})

test('texts of plugins are text, not markup', () => {
  assert.match(page.body, /How &lt;many&gt;\./)
  assert.doesNotMatch(page.body, /<many>/)
})
