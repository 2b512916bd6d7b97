/** The built service without the pages of its families and their transport: shows the cost of a start without them. */
import { main } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'

const plugins = async () => standardPlugins.filter(({ id }) => id !== 'dashboard').map((plugin) => ({ ...plugin, pages: [] }))
process.exitCode = await main({ plugins, argv: ['start'], env: process.env })
