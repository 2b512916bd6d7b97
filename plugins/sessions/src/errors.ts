import { defineError, Type } from '@gateway/sdk'

export const RoutingFailed = defineError('SESSION_ROUTING_FAILED', {
  status: 500,
  description: 'The agent did not answer. The message is kept in the session as failed; send it again to retry.',
  details: Type.Object({ sessionId: Type.String(), agentName: Type.String(), messageId: Type.String(), reason: Type.String() }),
  message: ({ agentName, messageId, reason }) =>
    `The agent ${agentName} did not answer: ${reason} The message is kept as ${messageId}, failed; send it again to try again.`,
})
