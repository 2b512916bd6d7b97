import { defineContribution } from '@gateway/sdk'
import type { Category } from './schema.ts'

interface Described {
  /** Letters, digits, `-` and `_`; the name of the server in a client’s configuration. The first that brings a key has it. */
  readonly key: string
  readonly label: string
  readonly category: Category
  readonly description: string
  /** Environment variables that whoever connects must have. */
  readonly requiresEnv?: readonly string[]
  /** Whether it is on until a tenant says otherwise. Default false. */
  readonly enabled?: boolean
}
/** Where values say `${VAR}`, the client that connects puts the variable of its own environment; the gateway never does. */
export type CuratedConnector = Described &
  (
    | { readonly transport: 'http'; readonly url: string; readonly env?: Readonly<Record<string, string>> }
    | {
        readonly transport: 'stdio'
        readonly command: string
        readonly args?: readonly string[]
        readonly env?: Readonly<Record<string, string>>
      }
  )
/** One more connector of the curated set. `env` of an http connector is sent as its headers. */
export const curatedConnector = defineContribution<CuratedConnector>('connectors.curated')
