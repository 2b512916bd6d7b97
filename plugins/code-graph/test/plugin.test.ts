import { pluginSuite } from '@gateway/testing'
import plugin from '../src/index.ts'
import { needed } from './support.ts'

pluginSuite(plugin, { folder: import.meta.dirname, with: needed })
