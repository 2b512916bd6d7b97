import { pluginSuite } from '@gateway/testing'
import plugin from '../src/index.ts'

pluginSuite(plugin, { folder: import.meta.dirname })
