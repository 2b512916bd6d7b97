import { gatewayWide, on } from '@gateway/sdk'
import { definitions } from '../collections.ts'
import { definitionsChanged } from '../operations/events.ts'
import { library } from '../operations/library.ts'
import { write } from '../operations/stored.ts'

export const heard = on(definitionsChanged, {
  uses: { wide: gatewayWide(definitions), library },
  handle: async (_payload, { wide, library }, ctx) => write(wide.writable(), library, await library.current(ctx.log)),
})
