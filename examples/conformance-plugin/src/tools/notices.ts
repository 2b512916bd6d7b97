import { setTimeout as pause } from 'node:timers/promises'
import { defineTool } from '@gateway/sdk'
import { nothing, say, shown } from '../shapes.ts'

/** Tools that notify the client before they answer. */

const reads = { capability: 'read', effect: 'read', input: nothing, output: shown } as const
/** Pause that lets a client see the notifications one by one. */
const BETWEEN_MS = 50

const progress = defineTool({
  ...reads,
  name: 'test_tool_with_progress',
  description: 'Report progress three times while working. Returns a sentence when the work is done.',
  async handle(_, __, ctx) {
    ctx.progress(0, 100, 'begun')
    await pause(BETWEEN_MS, undefined, { signal: ctx.signal })
    ctx.progress(50, 100, 'half of it')
    await pause(BETWEEN_MS, undefined, { signal: ctx.signal })
    ctx.progress(100, 100, 'all of it')
    return say('Done, in two steps.')
  },
})

const logging = defineTool({
  ...reads,
  name: 'test_tool_with_logging',
  description: 'Log three messages to the client while working. Returns a sentence when the work is done.',
  async handle(_, __, ctx) {
    ctx.client.log('info', 'begun')
    await pause(BETWEEN_MS, undefined, { signal: ctx.signal })
    ctx.client.log('info', 'half of it')
    await pause(BETWEEN_MS, undefined, { signal: ctx.signal })
    ctx.client.log('info', 'all of it')
    return say('Done, and logged.')
  },
})

const loggingIfAsked = defineTool({
  ...reads,
  name: 'test_logging_tool',
  description: 'Log a message, which reaches the client only if its request asked for messages. Returns a sentence.',
  async handle(_, __, ctx) {
    ctx.client.log('info', 'for those who asked')
    return say('Logged, for those who asked.')
  },
})

export const noticeTools = [progress, logging, loggingIfAsked]
