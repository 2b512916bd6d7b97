import { provideProcess } from '@gateway/sdk'
import { config, type Settings } from '../config.ts'
import { ProviderPool, pool } from '../operations/provider-pool.ts'

export const providerPoolProvider = provideProcess(pool, { uses: { config }, create: ({ config }) => new ProviderPool(config as Settings) })
