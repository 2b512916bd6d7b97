/** The built service without the pages of its families and without their face: what a start costs apart from them. */
import { main } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'

const plugins = async () => standardPlugins.filter(({ id }) => id !== 'dashboard').map((plugin) => ({ ...plugin, pages: [] }))
process.exitCode = await main({ plugins, argv: ['start'], env: process.env })
