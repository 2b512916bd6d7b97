import outgoing from '@gateway/plugin-outgoing'
import { pluginSuite } from '@gateway/testing'
import pluginTools from '../src/index.ts'

pluginSuite(pluginTools, { folder: import.meta.dirname, with: [outgoing] })
