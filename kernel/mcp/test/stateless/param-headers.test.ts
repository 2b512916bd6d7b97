import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { paramHeaderFaults, paramHeaders } from '../../src/stateless/param-headers.ts'

const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
const withProperties = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

test('annotations are found where only properties lead to them', () => {
  const schema = withProperties({
    region: header('Region'),
    count: header('X-Count.1', 'integer'),
    place: withProperties({ inner: withProperties({ flag: header('flag', 'boolean') }) }),
    plain: { type: 'string', default: 'x-mcp-header' },
    // A name, not the keyword.
    'x-mcp-header': { type: 'string' },
    data: { enum: [{ 'x-mcp-header': 'a' }], const: { 'x-mcp-header': 'b' }, examples: [{ 'x-mcp-header': '' }], default: header('c') },
  })
  assert.deepEqual(paramHeaderFaults(schema), [])
  assert.deepEqual(paramHeaders(schema), [
    { header: 'Mcp-Param-Region', field: 'mcp-param-region', path: ['region'] },
    { header: 'Mcp-Param-X-Count.1', field: 'mcp-param-x-count.1', path: ['count'] },
    { header: 'Mcp-Param-flag', field: 'mcp-param-flag', path: ['place', 'inner', 'flag'] },
  ])
})

test('every rule that would make clients leave the tool out is told', () => {
  const cases: [object, RegExp][] = [
    [withProperties({ a: header('') }), /must be the token of a header name; got ""/],
    [withProperties({ a: header(7) }), /must be the token of a header name; got 7/],
    ...['a b', 'a:b', 'a\r\nb', 'é', 'a(b'].map((name): [object, RegExp] => [withProperties({ a: header(name) }), /must be the token/]),
    [withProperties({ a: header('Same'), b: withProperties({ c: header('sAME') }) }), /"sAME" is there twice/],
    ...['number', 'object', 'array', 'null', undefined, ['string', 'null']].map((type): [object, RegExp] => [
      withProperties({ a: { type, 'x-mcp-header': 'A' } }),
      /is for a string, an integer or a boolean/,
    ]),
    [header('Root', 'object'), /is for a string/],
    ...[
      withProperties({ list: { type: 'array', items: header('A') } }),
      withProperties({ list: { type: 'array', prefixItems: [header('A')] } }),
      withProperties({ one: { anyOf: [header('A')] } }),
      withProperties({ one: { not: header('A') } }),
      withProperties({}, { allOf: [withProperties({ a: header('A') })] }),
      withProperties({}, { if: withProperties({ a: header('A') }) }),
      withProperties({}, { else: withProperties({ a: header('A') }) }),
      withProperties({}, { $defs: { shared: header('A') } }),
      withProperties({}, { additionalProperties: header('A') }),
      withProperties({}, { patternProperties: { '^x': header('A') } }),
      withProperties({ deep: { oneOf: [withProperties({ a: header('A') })] } }),
    ].map((schema): [object, RegExp] => [schema, /must be reached through properties alone/]),
  ]
  for (const [schema, why] of cases) {
    const faults = paramHeaderFaults(schema)
    assert.equal(faults.length, 1, JSON.stringify(schema))
    assert.match(faults[0] as string, why)
  }
})

test('a gateway with a tool that breaks them does not start, and says which', async () => {
  const tool = defineTool({
    name: 'odd_tool',
    description: 'Odd.',
    capability: 'read',
    effect: 'read',
    input: Type.Object({ ratio: Type.Number({ 'x-mcp-header': 'Ratio' }) }, closed),
    output: Type.Object({}),
    handle: async () => ({}),
  })
  const plugin = definePlugin({ id: 'odd', sdk: '^1.0.0', description: 'Odd.', tools: [tool] })
  await assert.rejects(startTestGateway({ plugins: [plugin] }), /plugin 'odd' failed in plan: tool odd_tool: x-mcp-header "Ratio" is for/)
})
