import { deepEqual } from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Tool } from '@gateway/sdk'

/** Options for comparing tools with their snapshots. */
export interface SnapshotOptions {
  /** Writes the file instead of comparing; by default when `UPDATE_SNAPSHOTS` is set. */
  readonly update?: boolean
  /** Command that rewrites it, for the reader of the fault. */
  readonly command?: string
}

/**
 * Returns a check per tool that compares it with `<folder>/<tool>.json`. An agent's view of a tool is an interface: a change of
 * it appears in the diff, where a reviewer meets it, or fails here.
 */
export function snapshotChecks(
  plugin: Plugin,
  folder: string,
  options?: SnapshotOptions,
): readonly { readonly promise: string; readonly run: () => Promise<void> }[] {
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

/** Compares a tool with its file, or writes the file. */
export async function holdAgainstSnapshot(
  tool: Tool,
  folder: string,
  { update = Boolean(process.env.UPDATE_SNAPSHOTS), command = 'UPDATE_SNAPSHOTS=1 npm test' }: SnapshotOptions = {},
): Promise<void> {
  const file = join(folder, `${tool.name}.json`)
  const now = snapshot(tool)
  if (update) {
    await mkdir(folder, { recursive: true })
    return writeFile(file, `${JSON.stringify(now, null, 2)}\n`)
  }
  const kept = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${tool.name} has no snapshot; write it with ${command}, read it, and commit ${file}`)
  })
  deepEqual(now, JSON.parse(kept), `${tool.name} differs from ${file}; if that is intended, update it with ${command}`)
}

/** Converted through JSON, as it crosses the wire: without the data a schema library keeps with the schema. */
function snapshot({
  name,
  description,
  capability,
  localOnly,
  effect,
  idempotent,
  openWorld,
  listing,
  rest,
  status,
  input,
}: Tool): unknown {
  return JSON.parse(
    JSON.stringify({
      name,
      description,
      capability,
      localOnly,
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
