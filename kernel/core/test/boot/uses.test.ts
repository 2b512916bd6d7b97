import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, defineService, optional, type Plugin, provide, type ServiceRef, type Uses } from '@gateway/sdk'
import { neededPlugins } from '../../src/registry/uses.ts'

const plugin = (id: string, provides: ServiceRef<object>, uses: Uses = {}): Plugin =>
  definePlugin({ id, sdk: '^1.0.0', description: 'A plugin.', provides: [provide(provides, { uses, create: () => ({}) })] })
const a = defineService<object>('a')
const b = defineService<object>('b')
const c = defineService<object>('c')
const d = defineService<object>('d')

test('a plugin needs the providers of its services and theirs, and none that it only would like', () => {
  const third = plugin('third', c)
  const second = plugin('second', b, { c })
  const liked = plugin('liked', d)
  const first = plugin('first', a, { b, d: optional(d) })
  assert.deepEqual(neededPlugins(first, [liked, third, second]), [second, third])
  assert.deepEqual(neededPlugins(third, [liked, first, second]), [])
})
