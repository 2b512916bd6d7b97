import { defineError, Type } from '@gateway/sdk'

const effect = Type.Enum(['read', 'write', 'destructive'])

export const WrongEffect = defineError('WRONG_EFFECT', {
  status: 400,
  description: 'The called tool has another effect than the calling tool allows; `details.callWith` names the right one.',
  details: Type.Object({ tool: Type.String(), effect, callWith: Type.String() }),
  message: ({ tool, effect, callWith }) => `${tool} has the effect ${effect}: call it with ${callWith}.`,
})
