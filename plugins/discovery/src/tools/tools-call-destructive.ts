import { callByEffect } from '../operations/call-by-effect.ts'

export const toolsCallDestructive = callByEffect(
  'destructive',
  'work',
  'Call a tool whose effect is destructive, by its name: it removes or overwrites what you cannot simply make again. Take name and input schema from tools_search. Returns what that tool returns.',
)
