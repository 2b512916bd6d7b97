import trash from '@gateway/plugin-trash'
import { pluginSuite } from '@gateway/testing'
import plans from '../src/index.ts'

pluginSuite(plans, { folder: import.meta.dirname, with: [trash] })
