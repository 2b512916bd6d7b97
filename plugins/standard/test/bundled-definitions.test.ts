import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPlugins } from '../src/index.ts'

const bundled = join(import.meta.dirname, '../../agents/bundled')
const tools = new Set(standardPlugins.flatMap((plugin) => plugin.tools.map(({ name }) => name)))
const files = ['agents', 'skills', 'hooks', 'rules'].flatMap((kind) =>
  readdirSync(join(bundled, kind)).map((name) => ({ name: `${kind}/${name}`, text: readFileSync(join(bundled, kind, name), 'utf8') })),
)

test('every tool that a bundled agent or hook works with is one of the gateway’s', () => {
  for (const { name, text } of files) {
    const named = /^tools: \[(.*)\]$/m.exec(text)?.[1]?.split(', ') ?? []
    for (const tool of named) assert.ok(tools.has(tool), `${name} names ${tool}`)
  }
})

test('every tool in the text of a bundled definition is one of the gateway’s, and a hook says that it works with it', () => {
  for (const { name, text } of files) {
    const [, head = '', ...body] = text.split('---\n')
    for (const [, word = ''] of body.join('').matchAll(/`([a-z]+_[a-z_]+)`/g)) {
      assert.ok(tools.has(word), `${name} names ${word}`)
      if (name.startsWith('hooks/')) assert.ok(head.includes(word), `${name} does not list ${word}`)
    }
  }
})
