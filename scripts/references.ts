/**
 * Writes docs/reference and the rows of test/catalogue from the code: `npm run references`. With `--check` it writes nothing and fails when a file
 * is not what the code says.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ErrorSpec } from '@gateway/sdk'
import { familyAreas, standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { commandVariables } from '../bin/cli/src/command-variables.ts'
import * as coreErrors from '../kernel/core/src/errors.ts'
import * as httpErrors from '../kernel/http/src/errors.ts'
import * as mcpErrors from '../kernel/mcp/src/errors.ts'
import { settingsSchema } from '../kernel/settings/src/settings.ts'
import { catalogue } from '../test/catalogue/catalogue.ts'
import { catalogueText } from './references/catalogue.ts'
import { configurationReference } from './references/configuration.ts'
import { errorsReference } from './references/errors.ts'
import { sdkReference } from './references/sdk.ts'
import { toolsReference } from './references/tools.ts'
import { root } from './workspaces.mjs'

const isError = (value: unknown): value is ErrorSpec => typeof value === 'function' && 'code' in value && 'status' in value

/**
 * Errors that any call may receive: before it reaches a tool, and from every tool. For each code the first description counts.
 */
const gatewayErrors = [
  ...coreErrors.kernelErrors,
  ...[coreErrors, httpErrors, mcpErrors].flatMap((module) => Object.values(module).filter(isError)),
]

/** Returns the expected contents of the generated files by path. */
export async function references(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['test/catalogue/tools.json', catalogueText(catalogue, standardPlugins)],
    ['docs/reference/tools.md', toolsReference(standardPlugins, familyAreas)],
    ['docs/reference/errors.md', errorsReference(gatewayErrors, standardPlugins)],
    ['docs/reference/configuration.md', configurationReference(settingsSchema, commandVariables, standardPlugins)],
    ['docs/reference/sdk.md', sdkReference()],
    ['docs/reference/openapi.json', `${JSON.stringify(await servedOpenApi(), null, 2)}\n`],
  ])
}

/** Returns the document that a gateway serves, built from its routes. */
async function servedOpenApi(): Promise<unknown> {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  return (await gateway.inject({ method: 'GET', url: '/api/openapi.json' })).json()
}

/** Returns the generated files that are missing or differ from the code. */
export async function staleReferences(at: string): Promise<string[]> {
  const isStale = ([path, text]: [string, string]): boolean => !existsSync(join(at, path)) || readFileSync(join(at, path), 'utf8') !== text
  return [...(await references())].filter(isStale).map(([path]) => path)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) {
    const stale = await staleReferences(root)
    if (stale.length > 0) console.error(`run \`npm run references\`; stale: ${stale.join(', ')}`)
    process.exitCode = stale.length === 0 ? 0 : 1
  } else {
    for (const [path, text] of await references()) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
}
