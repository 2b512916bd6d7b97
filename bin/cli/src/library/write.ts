import { CommandError, EXIT } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import type { Env } from '../command.ts'
import type { McpClient } from '../mcp-clients.ts'
import type { Output } from '../output.ts'
import { readLibrary } from './definitions.ts'
import { type Synced, syncLibrary } from './sync.ts'

interface Place {
  readonly client: McpClient
  readonly cwd: string
  /** Name of the entry, so that several gateways do not remove each other's files. */
  readonly entry: string
}
export type LibraryReport = Synced & { readonly unusable: readonly string[] }

export function refuseWithoutLibrary({ label, library }: McpClient): void {
  if (library === undefined)
    throw new CommandError(EXIT.usage, `${label} has no folder for skills that this command knows. Nothing was written.`)
}

export async function writeLibrary({ client, cwd, entry }: Place, url: string | undefined, env: Env): Promise<LibraryReport | undefined> {
  if (client.library === undefined) return undefined
  const { files, unusable } = await readLibrary(connect(url, env), client.library)
  return { ...(await syncLibrary(cwd, client.library, files, entry)), unusable }
}

/** Removes the files that the entry wrote and nobody has edited. */
export const removeLibrary = async ({ client, cwd, entry }: Place): Promise<readonly string[]> =>
  client.library === undefined ? [] : (await syncLibrary(cwd, client.library, [], entry)).removed

export function reportLibrary({ written, unchanged, removed, kept, unusable }: LibraryReport, output: Output): void {
  output.line(`Skills and agents: ${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed.`)
  for (const path of written) output.line(`  wrote ${path}`)
  for (const path of removed) output.line(`  removed ${path}`)
  for (const path of kept) output.complain(`gateway: ${path} was not written by this command, or was edited; it is left alone.`)
  for (const name of unusable) output.complain(`gateway: ${JSON.stringify(name)} cannot be the name of a file of a client; it is left out.`)
}
