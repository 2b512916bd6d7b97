import { standardPlugins } from '@gateway/standard'
import { serveOnDemand } from './serve-on-demand.ts'

serveOnDemand(standardPlugins)
