import { trashBin, trashKind } from '@gateway/plugin-trash/api'
import { atomically, closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'

const id = Type.Optional(Type.String())
const facts = { description: 'For tests.', capability: 'work', effect: 'write', output: Type.Object({}) } as const

const remove = defineTool({
  ...facts,
  name: 'test_remove',
  input: Type.Object(
    {
      kind: Type.String(),
      itemIds: Type.Array(Type.String()),
      repo: id,
      reason: id,
      payload: Type.Optional(Type.Unknown()),
      fail: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  uses: { trashBin, atomically },
  handle: ({ kind, itemIds, repo, reason, payload, fail }, { trashBin, atomically }) =>
    atomically(async (tx) => {
      const entries = []
      for (const itemId of itemIds) {
        entries.push(
          await trashBin.put({ kind, itemId, label: `The ${itemId}`, repo, reason, itemCount: 1, deletedBy: 'ada', payload }, tx),
        )
      }
      if (fail) throw new Error('after the put')
      return { entries }
    }),
})

const restore = defineTool({
  ...facts,
  name: 'test_restore',
  input: Type.Object({ kind: Type.String(), trashId: id, itemId: id }, closed),
  uses: { trashBin, atomically },
  handle: (choice, { trashBin, atomically }) => atomically(async (tx) => ({ taken: (await trashBin.take(choice, tx)) ?? null })),
})

/** Takes an entry, and gives back what is left of it. */
const restorePart = defineTool({
  ...facts,
  name: 'test_restore_part',
  input: Type.Object({ kind: Type.String(), trashId: id, left: Type.Array(Type.Unknown()) }, closed),
  uses: { trashBin, atomically },
  handle: ({ left, ...choice }, { trashBin, atomically }) =>
    atomically(async (tx) => {
      const entry = await trashBin.take(choice, tx)
      if (entry) await trashBin.giveBack({ ...entry, itemCount: left.length, payload: left }, tx)
      return {}
    }),
})

/** A family of plugins that removes things and takes them back, as the tasks and the plans do. */
export default definePlugin({
  id: 'test-family',
  sdk: '^1.0.0',
  description: 'Removes and restores.',
  tools: [remove, restore, restorePart],
  contributes: ['task', 'plan'].map((kind) => contribute(trashKind, { create: () => ({ kind, restoreTool: `${kind}s_restore` }) })),
})
