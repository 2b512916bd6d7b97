import { isToolError } from '@gateway/sdk'
import type { RepoNames } from '../api.ts'

/** A caller that stores nothing under the name. */
const LOOKS = { stores: false }

/** Returns the name of the repo that a caller means by a folder or a git remote. A plain name, and a text that no family knows, stays. */
export async function repoName<Text extends string | undefined>(names: readonly RepoNames[], text: Text, purpose = LOOKS): Promise<Text> {
  if (text === undefined || !/[/\\:]/.test(text)) return text
  for (const one of names) {
    try {
      const name = await one.nameOf(text, purpose)
      if (name !== undefined) return name as Text
    } catch (error) {
      // A folder that is not a repo is a name like any other here.
      if (!isToolError(error) || error.code === 'UNAVAILABLE') throw error
    }
  }
  return text
}
