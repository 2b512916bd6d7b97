import trash from '@gateway/plugin-trash'
import { pluginSuite } from '@gateway/sdk/testing'
import plans from '../src/index.ts'

pluginSuite(plans, { folder: import.meta.dirname, with: [trash] })
