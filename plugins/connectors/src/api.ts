import { defineContribution } from '@gateway/sdk'
import type { Category } from './schema.ts'

interface Described {
  /** Letters, digits, `-` and `_`; the name of the server in a client's configuration. The first contributor of a key wins. */
  readonly key: string
  readonly label: string
  readonly category: Category
  readonly description: string
  /** Environment variables that the connecting client must have. */
  readonly requiresEnv?: readonly string[]
  /** True if it is on until a tenant changes it. Default false. */
  readonly enabled?: boolean
}
/** `${VAR}` in values is replaced by the connecting client from its own environment, never by the gateway. */
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
/** Adds a connector to the curated set. `env` of an http connector is sent as its headers. */
export const curatedConnector = defineContribution<CuratedConnector>('connectors.curated')
