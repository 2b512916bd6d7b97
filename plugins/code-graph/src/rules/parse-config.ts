import { parseJsonc } from './jsonc.ts'
import { parsePnpmWorkspace } from './pnpm-workspace.ts'

/** The content of a file that says how imports are resolved; of those that only mark a folder as a project, `true`. */
export function parseConfig(path: string, text: string): unknown {
  if (path.endsWith('.json')) return parseJsonc(text)
  return path.endsWith('.yaml') ? parsePnpmWorkspace(text) : true
}
