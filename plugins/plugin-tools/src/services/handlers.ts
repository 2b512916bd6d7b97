import { outgoing } from '@gateway/plugin-outgoing/api'
import { defineService, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'
import { Handlers } from '../operations/handlers.ts'

export const handlers = defineService<Pick<Handlers, 'call'>>('plugin-tools.handlers', 'process')

export const handlersProvider = provideProcess(handlers, {
  uses: { config, outgoing },
  create: ({ config, outgoing }) => new Handlers(outgoing, config),
})
