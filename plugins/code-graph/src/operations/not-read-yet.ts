import { type ToolError, Unavailable } from '@gateway/sdk'
import type { Progress } from '../rules/protocol.ts'

const RETRY_AFTER_SECONDS = 5

/** The answer to a question that waited too long for the graph of its repo. */
export function notReadYet(progress: Progress | undefined): ToolError {
  const reached = progress === undefined ? 'its files are being listed' : `${progress.read} of ${progress.files} files are read`
  return Unavailable({
    message: `The code graph of this repo is still being built: ${reached}. The work continues; try again.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
