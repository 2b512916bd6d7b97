import { defineError, Type } from '@gateway/sdk'

export const ModelNotFound = defineError('MODEL_NOT_FOUND', {
  status: 404,
  description: 'No provider has this model: use a tier, a configured model, or provider/model; GET /v1/models lists them.',
  details: Type.Object({ model: Type.String() }),
  message: ({ model }) => `No provider has the model ${JSON.stringify(model)}; GET /v1/models lists the available ones.`,
})

export const BodyTooLarge = defineError('MODEL_REQUEST_TOO_LARGE', {
  status: 413,
  description: 'The body of a model call is larger than the gateway accepts.',
  details: Type.Object({ limitBytes: Type.Integer() }),
  message: ({ limitBytes }) => `The body may have at most ${limitBytes} bytes.`,
})

export const BodyIncomplete = defineError('MODEL_REQUEST_INCOMPLETE', {
  status: 408,
  description: 'The body of a model call did not arrive completely in time.',
  details: Type.Object({ limitMs: Type.Integer() }),
  message: ({ limitMs }) => `The body must arrive whole within ${limitMs} ms.`,
})
