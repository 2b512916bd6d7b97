import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { houseRules } from '@gateway/testing'
import { plan } from '../../kernel/core/src/boot/plan.ts'
import { toolEntry } from '../../kernel/mcp/src/tool-list.ts'

/**
 * Every tool of the standard distribution must meet the needs of the hosts that list it: a rule here is a rule of the service.
 */
const tools = standardPlugins.flatMap((plugin) => plugin.tools)

test('the families keep the project rules, whether or not their own tests ask', () => {
  assert.deepEqual(
    standardPlugins.flatMap((plugin) => houseRules.flatMap(({ faults }) => faults(plugin))),
    [],
  )
})

test('names are snake_case and unique, and schemas are closed: the families fit together', () => {
  assert.equal(plan(standardPlugins).plugins.length, standardPlugins.length)
})

interface Entry {
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations: Readonly<Record<string, boolean>>
}
/** Converts through JSON, as it is sent. */
const entryOf = (tool: (typeof tools)[number]): Entry => JSON.parse(JSON.stringify(toolEntry(tool))) as Entry

for (const tool of tools) {
  test(`${tool.name} is listed as hosts understand it`, () => {
    const { inputSchema, annotations } = entryOf(tool)
    assert.equal(inputSchema.type, 'object')
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref']) assert.ok(!(keyword in inputSchema), keyword)
    for (const [name, schema] of Object.entries(inputSchema.properties ?? {}))
      assert.equal(typeof schema, 'object', `${name}: older protocol versions know no schema that is true or false`)
    // Some hosts would fetch a reference out of the schema.
    assert.doesNotMatch(JSON.stringify(inputSchema), /"\$ref":"[^#]/)

    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
    assert.deepEqual([readOnlyHint, destructiveHint], [tool.effect === 'read', tool.effect === 'destructive'])
    for (const hint of [idempotentHint, openWorldHint]) assert.equal(typeof hint, 'boolean')
  })
}
