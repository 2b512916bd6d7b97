import { defineError, Type } from '@gateway/sdk'

export const WebhookSignatureInvalid = defineError('WEBHOOK_SIGNATURE_INVALID', {
  status: 401,
  description: 'The webhook is not signed with the configured secret, or its body was changed on the way.',
  details: Type.Object({ header: Type.String() }),
  message: ({ header }) =>
    `The header ${header} must be sha256=<hex HMAC-SHA256 of the body>, with the secret that is set as CODE_HOSTING_WEBHOOK_SECRET.`,
})

export const WebhookTooLarge = defineError('PAYLOAD_TOO_LARGE', {
  status: 413,
  description: 'The request body is larger than the gateway accepts.',
  details: Type.Object({ limitBytes: Type.Integer() }),
  message: ({ limitBytes }) => `The request body is larger than ${limitBytes} bytes.`,
})
