/** The gateway with the plugin that the suite needs. The suite calls the first tool of the list, so that plugin comes first. */

import { main } from '@gateway/cli'
import conformance from '@gateway/example-conformance'
import type { Plugin } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'

const plugins = (): Promise<readonly Plugin[]> => Promise.resolve([conformance, ...standardPlugins])
process.exitCode = await main({ plugins, argv: ['start', '--json'], env: process.env })
