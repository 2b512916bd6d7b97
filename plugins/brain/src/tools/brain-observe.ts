import { atomically, closed, cutText, defined, defineTool, repairText, Type } from '@gateway/sdk'
import { storableText } from '@gateway/sdk/redact'
import { takePlaces } from '@gateway/sdk/ring'
import { observations, rings } from '../collections.ts'
import { config } from '../config.ts'

const MAX_TARGET = 300
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export const brainObserve = defineTool({
  name: 'brain_observe',
  description:
    'Capture one raw step of your work, a tool call and how it ended, in a ring that forgets the oldest; it is not an atom and is not committed. Returns {observationId, at}.',
  capability: 'work',
  effect: 'write',
  repairsText: true,
  input: Type.Object(
    {
      repo: text(200),
      session: text(200),
      tool: text(200),
      target: Type.Optional(Type.String({ description: 'Cut at 300 characters.' })),
      exit: Type.Optional(Type.Enum(['ok', 'error', 'unknown'], { default: 'unknown' })),
      files: Type.Optional(
        Type.Array(Type.String({ maxLength: 500, verbatim: true }), { maxItems: 200, description: 'Files it touched.' }),
      ),
    },
    closed,
  ),
  output: Type.Object({ observationId: Type.String(), at: Type.String() }, closed),
  uses: { observations, rings, config, atomically },
  handle: ({ repo, session, tool, target, exit = 'unknown', files = [] }, { observations, rings, config, atomically }) =>
    atomically(async (tx) => {
      const ring = {
        states: rings,
        documents: observations,
        key: 'observationId' as const,
        prefix: 'observation-',
        max: config.maxObservations,
        isPast: () => false,
      }
      const [observationId = ''] = await takePlaces(ring, 1, tx)
      const at = tx.now.toISOString()
      // A record of a step must not fail its caller, whatever the text is that a host has cut.
      const observation = repairText({
        ...defined({ repo, session, tool }),
        ...(target !== undefined && { target: cutText(storableText(target, MAX_TARGET), MAX_TARGET) }),
        files: files.map((file) => storableText(file, 500)),
      })
      await observations.in(tx).insert({ observationId, at, exit, ...observation })
      return { observationId, at }
    }),
})
