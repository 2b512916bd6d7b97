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
    'Make a new app from an idea: register its card, then hand the idea to the external pipeline. The card stays whatever the pipeline says; with trigger false only it is made. Returns {name, card, pipeline, repo?}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/headless/new-app',
  input: Type.Object(
    {
      idea: nonBlankText(20_000, { description: 'What the app is to be.' }),
      name: Type.Optional({ ...repoName, description: 'Of its repo. Default: made of the idea’s words.' }),
      group: Type.Optional({ ...cardFields.group, minLength: 1, default: 'Generated' }),
      trigger: Type.Optional(Type.Boolean({ default: true, description: 'Whether the pipeline is asked.' })),
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
          status: Type.Optional(Type.Integer({ description: 'HTTP status it answered with.' })),
          answer: Type.Optional(Type.Unknown({ description: 'What it answered.' })),
          code: Type.Optional(Type.String()),
          error: Type.Optional(Type.String({ description: 'Why it was not triggered.' })),
          setting: Type.Optional(Type.String({ description: 'The setting that is missing.' })),
        },
        closed,
      ),
      repo: Type.Optional(
        Type.Object(
          { name: Type.String(), path: Type.Optional(Type.String()), gitRemote: Type.Optional(Type.String()) },
          { ...closed, description: 'What the pipeline says it made: for repos_upsert.' },
        ),
      ),
    },
    closed,
  ),
  errors: [NotEntitled, PlanLimitReached],
  uses: { ...roomUses, atomically, config, outgoing: optional(outgoing) },
  async handle({ idea, name = slugOf(idea), group = 'Generated', trigger = true }, refs, ctx) {
    if (name === undefined)
      throw BadRequest({ field: 'name', message: '`name` is needed: the idea has no word of Latin letters or digits to make one of.' })
    return await makeApp(refs, { idea, name, group, trigger }, ctx)
  },
})
