import { provideProcess } from '@gateway/sdk'
import { config, type Settings } from '../config.ts'
import { Host, host } from '../operations/host.ts'

export const hostProvider = provideProcess(host, { uses: { config }, create: ({ config }) => new Host(config as Settings) })
