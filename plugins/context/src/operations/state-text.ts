import type { StateRepo, States } from '@gateway/plugin-state/api'
import { isToolError } from '@gateway/sdk'

/** A file that cannot be read is reported in its place: it must not stop a session from beginning. */
export async function stateText(repo: StateRepo, states: States): Promise<string> {
  try {
    return (await states.read(repo.folder ?? repo.name, 'state'))?.content ?? ''
  } catch (error) {
    if (!isToolError(error)) throw error
    return error.code === 'NOT_FOUND' ? '' : `The state file cannot be read: ${error.message}`
  }
}
