import { callByEffect } from '../operations/call-by-effect.ts'

export const toolsCallDestructive = callByEffect(
  'destructive',
  'work',
  'Call a tool whose effect is destructive: it removes or overwrites what you cannot simply make again. Take its name and input schema from tools_search. Returns its result.',
)
