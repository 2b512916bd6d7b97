/** The built service, started as `pageless.ts` is; only the pages differ. */
import { main } from '@gateway/cli'
import { standardPlugins } from '@gateway/standard'

process.exitCode = await main({ plugins: () => Promise.resolve(standardPlugins), argv: ['start'], env: process.env })
