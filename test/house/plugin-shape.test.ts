import assert from 'node:assert/strict'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { defineCommand, defineJob, definePlugin, defineTool, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { filesUnder, root } from '../../scripts/workspaces.mjs'
import { shapeFaults } from '../support/plugin-shape.ts'

for (const plugin of standardPlugins) {
  test(`plugins/${plugin.id} has the shape of a family`, () => {
    const src = join(root, 'plugins', plugin.id, 'src')
    const files = [...filesUnder(src)].map(({ path }) => relative(src, path))
    assert.deepEqual(shapeFaults(plugin, files), [])
  })
}

const shelves = definePlugin({
  id: 'shelves',
  sdk: '^1.0.0',
  description: 'Shelves.',
  tools: [
    defineTool({
      name: 'shelf_list',
      description: 'List them.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}),
      output: Type.Object({}),
      handle: async () => ({}),
    }),
  ],
  commands: [defineCommand('shelf-show', { summary: 'Show them.', load: () => Promise.reject(new Error('nothing is run')) })],
  jobs: [defineJob('shelves.dust', { everySeconds: 60, run: async () => undefined })],
})
const kept = ['index.ts', 'schema.ts', 'tools/shelf-list.ts', 'jobs/dust.ts', 'commands/shelf-show.ts', 'operations/any.ts', 'rules/any.ts']

test('a family that keeps the shape has no fault', () => assert.deepEqual(shapeFaults(shelves, kept), []))

const breaches: readonly { file: string; fault: RegExp }[] = [
  { file: 'helper.ts', fault: /^helper\.ts stands at the root, where only index\.ts, / },
  { file: 'utils/helper.ts', fault: /^utils\/helper\.ts: there is no folder utils; it is one of tools, / },
  { file: 'operations/deep/helper.ts', fault: /there is no folder operations\/deep/ },
  { file: 'tools/helper.ts', fault: /^tools\/helper\.ts is named after none of the plugin’s tools \(shelf-list\)/ },
  {
    file: 'commands/shared.ts',
    fault: /named after none of the plugin’s commands \(shelf-show\); what they share stands in operations or rules/,
  },
  { file: 'jobs/shelves-dust.ts', fault: /named after none of the plugin’s jobs \(dust\)/ },
]
for (const { file, fault } of breaches) {
  test(`${file} is a fault that says where it belongs`, () => {
    const [found = '', ...more] = shapeFaults(shelves, [...kept, file])
    assert.match(found, fault)
    assert.deepEqual(more, [])
  })
}

test('a tool without a file of its own is a fault', () => {
  assert.deepEqual(
    shapeFaults(
      shelves,
      kept.filter((file) => file !== 'tools/shelf-list.ts'),
    ),
    ['tools/shelf-list.ts is missing'],
  )
})
