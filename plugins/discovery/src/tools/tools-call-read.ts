import { callByEffect } from '../operations/call-by-effect.ts'

export const toolsCallRead = callByEffect(
  'read',
  'read',
  'Call a tool whose effect is read. Take its name and input schema from tools_search. Returns its result.',
)
