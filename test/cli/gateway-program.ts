/** The `gateway` of the whole distribution, in its own process. */
import { main } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'

process.exitCode = await main({ plugins: async () => standardPlugins, argv: process.argv.slice(2), env: process.env })
