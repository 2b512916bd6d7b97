import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineTool, Type } from '@gateway/sdk'
import { actionView, filterView } from '../src/view-parts.ts'

const list = defineTool({
  name: 'shelf_list',
  description: 'Lists the shelves.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      to: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'The addresses to read.' })),
      from: Type.Optional(Type.String({ description: 'HEAD, a branch, or a commit.' })),
      since: Type.Optional(Type.String({ description: 'ISO 8601, inclusive.' })),
      seen: Type.Optional(Type.String({ format: 'date-time' })),
      until: Type.Optional(Type.Number({ description: 'Milliseconds since 1970.' })),
      state: Type.Optional(Type.Enum(['open', 'full'])),
      all: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  output: Type.Object({}),
  handle: async () => ({}),
})

test('a filter is asked for as what it is: a time where the schema says so, whatever its name', () => {
  const kinds = ['to', 'from', 'since', 'seen', 'until', 'state', 'all'].map((argument) => [argument, filterView(argument, list).kind])
  assert.deepEqual(Object.fromEntries(kinds), {
    to: 'text',
    from: 'text',
    since: 'time',
    seen: 'time',
    until: 'number',
    state: 'select',
    all: 'toggle',
  })
})

test('a form gets its times by format, also those that only their description tells', () => {
  const action = { id: 'list', label: 'List', tool: list, form: ['since', 'seen', 'from', 'missing'] } as const
  const view = actionView(action, { operations: new Map([[list.name, list]]), paths: new Set() })
  const schema = view?.form?.schema as { properties: Record<string, { format?: string } | undefined> } | undefined
  const formats = Object.entries(schema?.properties ?? {}).map(([name, schema]) => [name, schema?.format])
  assert.deepEqual(Object.fromEntries(formats), { since: 'date-time', seen: 'date-time', from: undefined, missing: undefined })
})
