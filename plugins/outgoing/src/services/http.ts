import { provideProcess } from '@gateway/sdk'
import { outgoing } from '../api.ts'
import { config } from '../config.ts'
import { OutgoingHttp } from '../operations/outgoing-http.ts'

export const httpProvider = provideProcess(outgoing, { uses: { config }, create: ({ config }) => new OutgoingHttp(config) })
