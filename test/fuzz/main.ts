import { standardPlugins } from '@gateway/standard'
import { serveOnDemand } from '../crash/gateway/serve-on-demand.ts'
import { fuzzPlugin } from './fuzz-plugin.ts'

serveOnDemand([...standardPlugins, fuzzPlugin])
