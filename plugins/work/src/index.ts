import { definePlugin } from '@gateway/sdk'
import { workDone } from './tools/work-done.ts'
import { workNext } from './tools/work-next.ts'

/**
 * The work loop of an agent in two calls, for the short list of tools. Both call the tools of the families as the caller, on the one call
 * path, and keep nothing themselves:
 *
 * 1. `work_next` claims a task, waiting for one if asked, and adds the context of its repo and unread mail;
 * 2. `work_done` ends it, and then writes the handoff, the memory and the result.
 */
export default definePlugin({
  id: 'work',
  sdk: '^1.0.0',
  description: 'The work loop of an agent in two calls: take work, and report it.',
  tools: [workNext, workDone],
})
