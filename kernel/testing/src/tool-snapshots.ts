import { deepEqual } from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Tool } from '@gateway/sdk'

const COMMAND = 'UPDATE_SNAPSHOTS=1 npm test'

/**
 * A check per tool that holds it against `<folder>/<tool>.json`. What an agent sees of a tool is an interface: a change of it
 * stands in the diff, where a reviewer meets it, or fails here.
 */
export function snapshotChecks(
  plugin: Plugin,
  folder: string,
  writtenBy?: string,
): readonly { readonly promise: string; readonly run: () => Promise<void> }[] {
  const options = writtenBy === undefined ? {} : { writtenBy }
  return [
    ...plugin.tools.map((tool) => ({
      promise: `${tool.name} is what its snapshot says`,
      run: () => holdAgainstSnapshot(tool, folder, options),
    })),
    {
      promise: 'every snapshot is of a tool there is',
      async run() {
        const files = await readdir(folder).catch(() => [])
        const expected = plugin.tools.map(({ name }) => `${name}.json`)
        const left = files.filter((file) => !expected.includes(file))
        deepEqual(left, [], `no tool of plugin '${plugin.id}' has these snapshots in ${folder}, delete the files: ${left.join(', ')}`)
      },
    },
  ]
}

/** Compare one tool with its file, or write the file: when `update` says so, by default when `UPDATE_SNAPSHOTS` is set. */
export async function holdAgainstSnapshot(
  tool: Tool,
  folder: string,
  { update = Boolean(process.env.UPDATE_SNAPSHOTS), writtenBy = COMMAND }: { readonly update?: boolean; readonly writtenBy?: string } = {},
): Promise<void> {
  const file = join(folder, `${tool.name}.json`)
  const now = snapshot(tool)
  if (update) {
    await mkdir(folder, { recursive: true })
    return writeFile(file, `${JSON.stringify(now, null, 2)}\n`)
  }
  const kept = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${tool.name} has no snapshot; write it with ${writtenBy}, read it, and commit ${file}`)
  })
  deepEqual(now, JSON.parse(kept), `${tool.name} differs from ${file}; if it is meant, write it anew with ${writtenBy}`)
}

/** Through JSON, as it crosses the wire: without what a schema library keeps beside the schema. */
function snapshot({ name, description, capability, effect, idempotent, openWorld, listing, rest, status, input }: Tool): unknown {
  return JSON.parse(
    JSON.stringify({
      name,
      description,
      capability,
      effect,
      idempotent,
      openWorld,
      ...(listing !== 'default' && { listing }),
      rest,
      status,
      inputSchema: input,
    }),
  )
}
