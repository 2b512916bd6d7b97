import { openStore } from '@gateway/defaults'
import { standardPlugins } from '@gateway/standard'
import { serveOnDemand } from '../gateway/serve-on-demand.ts'
import { killing } from './killing.ts'

// A gateway that kills itself at KILL_AT, as an operator's SIGKILL or the kernel's would.
serveOnDemand(standardPlugins, ({ KILL_AT }) =>
  KILL_AT === undefined ? {} : { openStore: async (parts) => killing(await openStore(parts), JSON.parse(KILL_AT)) },
)
