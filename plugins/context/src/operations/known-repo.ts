import type { StateRepo, States } from '@gateway/plugin-state/api'
import { isToolError } from '@gateway/sdk'

/** The repo that is booted into. One without files is still known by what was handed over in it. */
export async function knownRepo(repo: string | undefined, states: States): Promise<StateRepo> {
  try {
    return await states.repo(repo)
  } catch (error) {
    if (repo !== undefined && (await states.latestHandoff(repo))) return { name: repo, isMaster: false }
    throw error
  }
}

/** A file that cannot be read is told in its place: it must not keep anybody from beginning. */
export async function stateText(repo: StateRepo, states: States): Promise<string> {
  try {
    return (await states.read(repo.name, 'state'))?.content ?? ''
  } catch (error) {
    if (!isToolError(error)) throw error
    return error.code === 'NOT_FOUND' ? '' : `The state file cannot be read: ${error.message}`
  }
}
