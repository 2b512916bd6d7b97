import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adapters } from '@gateway/defaults'
import { neededPlugins, plan } from '@gateway/kernel'
import { importPlugin } from '@gateway/loader'
import { type Plugin, SDK_VERSION } from '@gateway/sdk'
import { CommandError, EXIT } from '@gateway/sdk/command'
import { holdAgainstSnapshot, type ProbeResult, pluginChecks, probeIsolation } from '@gateway/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'

export interface CheckOutcome {
  readonly promise: string
  /** Fault and its place; absent if the promise is kept. */
  readonly fault?: string
  /** Tools and collections for which the promise was not tried. */
  readonly note?: string
}

interface Check {
  readonly promise: string
  /** Resolves to a note, if there is something to say; rejects with the fault. */
  readonly run: () => Promise<unknown>
}

const IMPORT_LIMIT_MS = 10_000

/** Checks a built package against the rules for every plugin, together with the plugins that it needs. */
export async function checkPlugin(options: {
  readonly folder: string
  readonly builtIn: readonly Plugin[]
  /** Plugins from elsewhere, by package or path from its folder. */
  readonly others: readonly string[]
  /** Rewrites the snapshots of its tools. */
  readonly update: boolean
}): Promise<{ readonly id: string; readonly outcomes: readonly CheckOutcome[] }> {
  const { folder } = options
  const plugin = await load(folder, folder)
  const builtIn = options.others.find((name) => options.builtIn.some(({ id }) => id === name))
  if (builtIn !== undefined) {
    const others = 'a plugin from elsewhere, by its package or path'
    throw new CommandError(EXIT.usage, `--with takes ${others}; got ${builtIn}, which is built in and added where it is needed.`)
  }
  const elsewhere = await Promise.all(options.others.map((name) => load(name, folder)))
  const others = [...options.builtIn, ...elsewhere].filter(({ id }) => id !== plugin.id)
  const snapshots = join(folder, 'test', '__snapshots__')
  if (options.update) for (const tool of plugin.tools) await holdAgainstSnapshot(tool, snapshots, { update: true })
  const needed = neededPlugins(plugin, others)
  const outcomes: CheckOutcome[] = []
  let probed: Promise<ProbeResult> | undefined
  /** Calls everything the plugin has, once for all promises that need it; a plugin that cannot start cannot be called. */
  const probe = (say: (result: ProbeResult) => string | undefined) => async (): Promise<string | undefined> => {
    if (probed === undefined && outcomes.some(({ fault }) => fault !== undefined)) return 'not tried, since another check fails'
    return say(await (probed ??= probeIsolation([plugin], { with: needed })))
  }
  const checks: readonly Check[] = [
    { promise: 'its package can be installed and imported', run: () => checkPackage(folder) },
    {
      promise: 'names, ids, schemas, tenancy and refs are consistent with the plugins of this gateway',
      run: async () => void plan([...others, plugin], { parts: adapters.parts }),
    },
    { promise: 'its schemas are JSON Schema', run: async () => checkSchemas(plugin) },
    ...pluginChecks(plugin, { snapshots, snapshotCommand: 'gateway plugin check --update', with: needed }),
    {
      promise: 'its tools never show or change another tenant’s data, for any ids',
      run: probe((result) => isolation(plugin, result)),
    },
    { promise: 'its tools fail with errors they declare', run: probe(({ undeclared }) => none(undeclared)) },
  ]
  for (const { promise, run } of checks) {
    try {
      const note = await run()
      outcomes.push({ promise, ...(typeof note === 'string' && { note }) })
    } catch (error) {
      outcomes.push({ promise, fault: error instanceof Error ? error.message : String(error) })
    }
  }
  return { id: plugin.id, outcomes }
}

async function load(name: string, folder: string): Promise<Plugin> {
  try {
    return await importPlugin(name, { configFolder: folder, startTimeoutMs: IMPORT_LIMIT_MS })
  } catch (error) {
    throw new CommandError(EXIT.failure, `The plugin ${name === folder ? '' : `${name} `}cannot be loaded: ${(error as Error).message}.`)
  }
}

/** Reports operations that could not be tried: the plugin's own test can try them. */
function isolation(plugin: Plugin, { operations, unseeded, violations }: ProbeResult): string | undefined {
  none(violations)
  const left = [...plugin.tools, ...plugin.routes].map(({ name }) => name).filter((name) => !operations.includes(name))
  const notes = [
    left.length > 0 ? `not called, since they reach outside of the gateway: ${left.join(', ')}` : '',
    unseeded.length > 0 ? `nothing was there to reach for, since made-up arguments put nothing in: ${unseeded.join(', ')}` : '',
  ].filter((note) => note !== '')
  return notes.length === 0 ? undefined : notes.join('\n')
}

/** The gateway compiles a schema at the first call, without the meta-schema, so a faulty schema would only show there. */
function checkSchemas({ tools, routes, collections, events, config }: Plugin): void {
  const schemas: readonly (readonly [string, object])[] = [
    ...[...tools, ...routes].flatMap(
      ({ name, input, output }) =>
        [
          [`${name}: the input schema`, input],
          [`${name}: the output schema`, output],
        ] as const,
    ),
    ...collections.map(({ id, schema }) => [`collection ${id}`, schema] as const),
    ...events.map(({ id, payload }) => [`event ${id}`, payload] as const),
    ...(config ? [[`settings ${config.id}`, config.schema] as const] : []),
  ]
  none(
    schemas.flatMap(([where, schema]) => {
      try {
        new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
        return []
      } catch (error) {
        return [`${where}: ${(error as Error).message}`]
      }
    }),
  )
}

function none(faults: readonly string[]): undefined {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

/** Checks the fields that a stranger's `npm install` and `import` rely on. */
async function checkPackage(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) throw new Error(`${folder} has no package.json`)
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, unknown>>
  const faults: string[] = []
  for (const field of ['name', 'version', 'license']) if (typeof manifest[field] !== 'string') faults.push(`${field} is missing`)
  if (manifest.type !== 'module') faults.push('type must be "module": the gateway imports ES modules')
  const named = { ...(manifest.dependencies as object), ...(manifest.peerDependencies as object) }
  if (!('@gateway/sdk' in named)) faults.push(`dependencies must name @gateway/sdk, whose contract here is ${SDK_VERSION}`)
  if ('@gateway/testing' in named) faults.push('@gateway/testing is for tests: it belongs in devDependencies')
  none(faults.map((fault) => `${file}: ${fault}`))
}
