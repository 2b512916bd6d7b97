import { type ToolError, Unavailable } from '@gateway/sdk'

const MESSAGE = 'Git’s helper process died while it wrote. Whether the change was made is to be seen: look, and try again if it was not.'

export const UNKNOWN_OUTCOME = (): ToolError => Unavailable({ message: MESSAGE, retryAfterSeconds: 1 })
