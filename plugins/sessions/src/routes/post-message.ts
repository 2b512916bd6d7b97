import { atomically, closed, defineRoute, Type } from '@gateway/sdk'
import { sessionIndex, sessionRunner } from '../api.ts'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'
import { RoutingFailed } from '../errors.ts'
import { post } from '../operations/post.ts'
import { checkMetadata } from '../rules/metadata.ts'
import { content, metadata, sessionId } from '../schema.ts'

export const postMessage = defineRoute({
  name: 'sessions.post-message',
  description:
    'Send a message to the agent of a conversation, and wait for the answer. Returns the ids, the agent and its response; the message is kept whether or not it is answered.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/sessions/:id/messages',
  input: Type.Object({ id: sessionId, content, metadata: Type.Optional(metadata) }, closed),
  output: Type.Object(
    {
      sessionId: Type.String(),
      agentName: Type.String(),
      messageId: Type.String({ description: 'Id of the message.' }),
      response: Type.Object(
        { content: Type.String() },
        { additionalProperties: true, description: 'Answer, with further data of the agent.' },
      ),
    },
    closed,
  ),
  errors: [RoutingFailed],
  uses: { sessions, messages, config, runners: sessionRunner, indexes: sessionIndex, atomically },
  async handle({ id, content, metadata }, uses, ctx) {
    checkMetadata('metadata', metadata)
    return post({ sessionId: id, content, metadata }, uses, ctx)
  },
})
