import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootSection, contribute, definePlugin } from '@gateway/sdk'
import { startTestGateway } from '@gateway/sdk/testing'
import { faceFixture } from '../http/face-plugin.ts'

const section = (id: string, order: number, render: () => Promise<string>) =>
  definePlugin({
    id,
    sdk: '^1.0.0',
    description: id,
    contributes: [contribute(bootSection, { create: () => ({ title: id, order, render }) })],
  })

async function bundle(
  ...plugins: ReturnType<typeof section>[]
): Promise<{ text: string; logs: readonly Readonly<Record<string, unknown>>[] }> {
  await using gateway = await startTestGateway({ plugins: [faceFixture().plugin, ...plugins] })
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  const { result } = (await gateway.inject({ method: 'POST', url: '/mcp', body })).json()
  return { text: result.instructions, logs: gateway.logs }
}

test('the boot bundle says which gateway, who the caller is, and how to find tools', async () => {
  const { text } = await bundle()
  assert.match(text, /^# Gateway \d+\.\d+\.\d+\n/)
  for (const part of ['`operator`', 'role operator', 'tenant `local`', '8 tools', 'face 8', '`tools/list`'])
    assert.ok(text.includes(part), part)
})

test('sections follow in their order, and one with nothing to say is not there', async () => {
  const { text } = await bundle(
    section('late', 90, async () => 'z'),
    section('silent', 20, async () => ''),
    section('early', 5, async () => 'a'),
  )
  assert.deepEqual(
    [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    ['early', 'Manners', 'late'],
  )
})

test('a section that fails is left out and logged, a long one is cut', async () => {
  const { text, logs } = await bundle(
    section('broken', 5, () => Promise.reject(new Error('no'))),
    section('long', 6, async () => 'x'.repeat(50_000)),
  )
  assert.doesNotMatch(text, /## broken/)
  assert.ok(logs.some((line) => line.section === 'broken'))
  assert.ok(text.length < 4_000)
})
