import { NotEntitled, PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { outgoing } from '@gateway/plugin-outgoing/api'
import { atomically, BadRequest, closed, defineTool, nonBlankText, optional, Type } from '@gateway/sdk'
import { config } from '../config.ts'
import { makeApp } from '../operations/make-app.ts'
import { roomUses } from '../operations/room.ts'
import { slugOf } from '../rules/slug.ts'
import { Card, cardFields, name as repoName } from '../schema.ts'

export const newApp = defineTool({
  name: 'new_app',
  description:
    'Make a new app from an idea: register its card, then hand the idea to the external pipeline. The card stays even if the pipeline fails; with trigger false only the card is made. Returns {name, card, pipeline, repo?}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/headless/new-app',
  subject: ['name'],
  input: Type.Object(
    {
      idea: nonBlankText(20_000, { description: 'Description of the app.' }),
      name: Type.Optional({ ...repoName, description: 'Name of the repo. Default: made from the idea’s words.' }),
      group: Type.Optional({ ...cardFields.group, minLength: 1, default: 'Generated' }),
      trigger: Type.Optional(Type.Boolean({ default: true, description: 'Calls the pipeline.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      name: Type.String(),
      card: Card,
      pipeline: Type.Object(
        {
          triggered: Type.Boolean(),
          status: Type.Optional(Type.Integer({ description: 'HTTP status of its response.' })),
          answer: Type.Optional(Type.Unknown({ description: 'Body of its response.' })),
          code: Type.Optional(Type.String()),
          error: Type.Optional(Type.String({ description: 'Reason it was not triggered.' })),
          setting: Type.Optional(Type.String({ description: 'Missing setting.' })),
        },
        closed,
      ),
      repo: Type.Optional(
        Type.Object(
          { name: Type.String(), path: Type.Optional(Type.String()), gitRemote: Type.Optional(Type.String()) },
          { ...closed, description: 'Repo that the pipeline reports: arguments for repos_upsert.' },
        ),
      ),
    },
    closed,
  ),
  errors: [NotEntitled, PlanLimitReached],
  uses: { ...roomUses, atomically, config, outgoing: optional(outgoing) },
  check: ({ idea, name }) => void nameOf(idea, name),
  async handle({ idea, name, group = 'Generated', trigger = true }, refs, ctx) {
    return await makeApp(refs, { idea, name: nameOf(idea, name), group, trigger }, ctx)
  },
})

function nameOf(idea: string, name = slugOf(idea)): string {
  if (name !== undefined) return name
  throw BadRequest({
    field: 'name',
    message: '`name` is required, because the idea has no word of Latin letters or digits to make one from.',
  })
}
