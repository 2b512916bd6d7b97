import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { filesUnder } from '../../scripts/workspaces.mjs'

/** The scaffold begins with these words each sentence that its author has to replace. */
const PLACEHOLDER = /\bsay here\b/i

/** Returns one line for each placeholder that is left below a folder. */
export function placeholdersIn(root: string, folder: string): string[] {
  return [...filesUnder(folder)]
    .filter(({ path }) => /\.(?:ts|md|json)$/.test(path))
    .flatMap(({ path }) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          PLACEHOLDER.test(line) ? [`${relative(root, path)}:${at + 1}: replace “${line.trim().slice(0, 80)}”`] : [],
        ),
    )
}
