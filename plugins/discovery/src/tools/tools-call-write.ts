import { callByEffect } from '../operations/call-by-effect.ts'

export const toolsCallWrite = callByEffect(
  'write',
  'work',
  'Call a tool whose effect is write. Take its name and input schema from tools_search. Returns its result.',
)
