import { callByEffect } from '../operations/call-by-effect.ts'

export const toolsCallWrite = callByEffect(
  'write',
  'work',
  'Call a tool whose effect is write, by its name. Take name and input schema from tools_search. Returns what that tool returns.',
)
